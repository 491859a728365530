import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { surveyBytes } from '#src/platform/csv/encoding/byte-survey.ts'
import { detectEncoding } from '#src/platform/csv/encoding/detect-encoding.ts'
import { decode } from '#src/platform/csv/encoding/encodings.ts'
import { MAX_CHARACTERS, MAX_PAGE_CHARACTERS, PageTexts } from './limits.ts'
import type { Extraction } from './types.ts'

/** A character has up to four bytes. */
const MAX_BYTES = 4 * MAX_CHARACTERS

/** The beginning of a text file in its encoding. */
export async function decodeFile(path: string): Promise<string> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_BYTES), 0, MAX_BYTES, 0)
    const bytes = buffer.subarray(0, bytesRead)
    const { encoding } = await detectEncoding(
      await surveyBytes({ size: bytesRead, read: () => Readable.from([bytes]) }),
    )
    // The last character may be cut.
    return decode(bytes, encoding).replace(/\ufffd$/, '')
  } finally {
    await file.close()
  }
}

/** Reads a text, or a table as text. */
export const readText = async (path: string): Promise<Extraction> => pagesOfText(await decodeFile(path))

/** A text as one page, or as several if it is long. */
export function pagesOfText(text: string, details: Extraction['details'] = null): Extraction {
  const texts = new PageTexts()
  let start = 0
  do {
    const end = partEnd(text, start)
    texts.add(text.slice(start, end))
    start = end
  } while (start < text.length && !texts.isFull)
  if (start < text.length) texts.cut()
  return texts.extraction(undefined, 'part', details)
}

/** At the end of a line, or of a word, if there is one. */
function partEnd(text: string, start: number): number {
  const end = start + MAX_PAGE_CHARACTERS
  if (end >= text.length) return text.length
  const line = text.lastIndexOf('\n', end)
  if (line > start) return line
  const word = text.lastIndexOf(' ', end)
  return word > start ? word : end
}
