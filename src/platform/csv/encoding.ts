import { isUtf8 } from 'node:buffer'
import { TextDecoder } from 'node:util'
import iconv from 'iconv-lite'

export const BLOCK_BYTES = 64 * 1024

const UTF8_MARK = '\xef\xbb\xbf'

/**
 * The file in blocks of 64 KB, as text with one character (U+0000 to U+00FF) per byte of UTF-8 or Windows-1252.
 * UTF-16 with a byte order mark becomes UTF-8. The mark is left out.
 */
export async function* byteTextBlocks(input: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let utf16: TextDecoder | undefined
  let isStart = true
  for await (const block of blocksOf(input)) {
    const text = block.toString('latin1')
    if (isStart) utf16 = utf16Decoder(text)
    if (utf16) yield Buffer.from(utf16.decode(block, { stream: true })).toString('latin1')
    else yield isStart && text.startsWith(UTF8_MARK) ? text.slice(UTF8_MARK.length) : text
    isStart = false
  }
}

function utf16Decoder(start: string): TextDecoder | undefined {
  if (start.startsWith('\xff\xfe')) return new TextDecoder('utf-16le')
  return start.startsWith('\xfe\xff') ? new TextDecoder('utf-16be') : undefined
}

/** Joins small chunks and cuts large ones, so that no chunk size makes reading slow or blocks the event loop. */
async function* blocksOf(input: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = []
  let length = 0
  for await (const chunk of input) {
    for (let start = 0; start < chunk.length; ) {
      const part = chunk.subarray(start, start + BLOCK_BYTES - length)
      parts.push(part)
      start += part.length
      length += part.length
      if (length < BLOCK_BYTES) continue
      yield Buffer.concat(parts)
      parts = []
      length = 0
    }
  }
  if (length > 0) yield Buffer.concat(parts)
}

/** Decodes cells of one character per byte: each is UTF-8 if it is valid UTF-8, else Windows-1252. */
export function decodeCells(cells: string[]): string[] {
  const text = cells.join('\0')
  if (!NON_ASCII.test(text)) return cells
  const bytes = Buffer.from(text, 'latin1')
  if (isUtf8(bytes)) {
    const decoded = bytes.toString('utf8').split('\0')
    if (decoded.length === cells.length) return decoded
  }
  return cells.map(decodeCell)
}

const NON_ASCII = /[\x80-\xff]/
const UTF8_LETTER = /[\xc2-\xf4][\x80-\xbf]/

function decodeCell(cell: string): string {
  if (!NON_ASCII.test(cell)) return cell
  const bytes = UTF8_LETTER.test(cell) ? Buffer.from(cell, 'latin1') : undefined
  return bytes && isUtf8(bytes) ? bytes.toString('utf8') : cell.replace(/[\x80-\x9f]/g, windows1252Character)
}

/** Windows-1252 differs from Latin-1 in these 32 bytes only. Node's own TextDecoder treats the two as the same. */
const WINDOWS_1252 = iconv.decode(
  Buffer.from(Array.from({ length: 32 }, (_value, index) => 0x80 + index)),
  'win1252',
)
const windows1252Character = (byte: string) => WINDOWS_1252[byte.charCodeAt(0) - 0x80] as string
