import { type FileHandle, open } from 'node:fs/promises'
import { fileTypeFromBuffer, fileTypeFromFile } from 'file-type'
import { sniffOle } from './sniff-ole.ts'
import { hasByteOrderMark, sniffText } from './sniff-text.ts'

const START_BYTES = 64 * 1024
const UNKNOWN = 'application/octet-stream'

/** The media type of a file, by its content. A file that fits several types has the one that its beginning shows. */
export async function sniffType(path: string): Promise<string> {
  const handle = await open(path)
  try {
    const { size } = await handle.stat()
    const start = await readStart(handle, size)
    const text = sniffText(start, start.length < size)
    // The library takes UTF-16 for music.
    if (text !== undefined && hasByteOrderMark(start)) return text
    const found = await detect(path, start)
    if (found === 'application/x-cfb') return await sniffOle(handle, start, size)
    if (found !== undefined && found !== 'application/xml') return found
    // Programs look for it in the first kilobyte.
    if (start.subarray(0, 1024).includes('%PDF-')) return 'application/pdf'
    return text ?? found ?? UNKNOWN
  } finally {
    await handle.close()
  }
}

async function readStart(handle: FileHandle, size: number): Promise<Buffer> {
  const start = Buffer.alloc(Math.min(START_BYTES, size))
  const { bytesRead } = await handle.read(start, 0, start.length, 0)
  return start.subarray(0, bytesRead)
}

/** A broken file may make the library read beyond its end. Its beginning is enough then. */
async function detect(path: string, start: Buffer): Promise<string | undefined> {
  const found = await fileTypeFromFile(path).catch(() => fileTypeFromBuffer(start).catch(() => undefined))
  return found?.mime
}
