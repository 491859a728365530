import { readFile } from 'node:fs/promises'
import { getDocumentProxy } from 'unpdf'
import { NoText, PageTexts, TIMEOUT_MS } from './limits.ts'
import type { Extraction } from './types.ts'

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>

/** What was read until then is kept, instead of ending the thread. */
const STOP_AFTER_MS = TIMEOUT_MS * 0.7
const OPTIONS = {
  disableFontFace: true,
  useSystemFonts: false,
  isEvalSupported: false,
  enableXfa: false,
  verbosity: 0,
}

/** Reads the text of each page of a PDF. */
export async function readPdf(path: string): Promise<Extraction> {
  const startedAt = performance.now()
  const pdf = await open(new Uint8Array(await readFile(path)))
  const texts = new PageTexts()
  while (texts.count < pdf.numPages && !texts.isFull) {
    if (texts.count > 0 && performance.now() - startedAt > STOP_AFTER_MS) break
    texts.add(await textOf(pdf, texts.count + 1))
  }
  const extraction = texts.extraction(pdf.numPages, 'page')
  return extraction.text_state === 'none'
    ? { ...extraction, text_detail: 'It has no text. It may be a scan.' }
    : extraction
}

async function open(bytes: Uint8Array): Promise<Pdf> {
  try {
    return await getDocumentProxy(bytes, OPTIONS)
  } catch (error) {
    if ((error as Error).name === 'PasswordException')
      throw new NoText('encrypted', 'It is protected with a password.')
    throw error
  }
}

/** The text of a page. A damaged page has none; the others may be whole. */
async function textOf(pdf: Pdf, number: number): Promise<string> {
  try {
    const page = await pdf.getPage(number)
    const { items } = await page.getTextContent()
    page.cleanup()
    return items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : '')).join('')
  } catch {
    return ''
  }
}
