import { isUtf8 } from 'node:buffer'
import { decode, encodingNamed } from './encodings.ts'
import { oddness } from './plausibility.ts'

/** Longer cells are left as they are. */
const MAX_CELL_LENGTH = 64 * 1024
/** Whether a text reads better is judged by as many characters from the first that is not ASCII. */
const EXCERPT_LENGTH = 2000
/** Tools one behind the other may each have encoded the text. */
const MAX_PASSES = 3

/** How UTF-8 looks when it is read in another encoding. */
interface Misreading {
  /** Finds what the first two bytes of a character look like. */
  pattern: RegExp
  /** The byte of each character that is not ASCII; 0: it has none. */
  bytes: Uint8Array
}

const imagesOf = (name: string): string[] =>
  Array.from({ length: 0x80 }, (_value, index) => {
    const image = decode(Buffer.from([0x80 + index]), encodingNamed(name))
    return image === '\ufffd' ? String.fromCharCode(0x80 + index) : image
  })

function misreading(name: string): Misreading {
  const bytes = new Uint8Array(0x10000)
  imagesOf(name).forEach((image, index) => {
    bytes[image.charCodeAt(0)] = 0x80 + index
  })
  // Some tools read Windows-1252 as Latin-1.
  if (name === 'windows-1252') for (let byte = 0x80; byte < 0xa0; byte++) bytes[byte] = byte
  const classOf = (from: number, to: number) =>
    `[${Array.from(bytes.keys())
      .filter((code) => from <= (bytes[code] as number) && (bytes[code] as number) <= to)
      .map((code) => `\\u${code.toString(16).padStart(4, '0')}`)
      .join('')}]`
  return { bytes, pattern: new RegExp(classOf(0xc2, 0xf4) + classOf(0x80, 0xbf)) }
}

const MISREADINGS = ['windows-1252', 'windows-1251', 'cp850', 'cp437', 'macintosh'].map(misreading)

const UNREADABLE = /[\u0080-\u009f\ufffd\ue000-\uf8ff\p{Cn}]/u
/** No word ends with this letter, which is what the first byte of signs such as ® looks like. */
const LONE_LETTER = /\u00c2[\u0080-\u00bf]/

/**
 * The text of a cell that was encoded in UTF-8 twice or more, such as `MÃ¼ller`: only if the whole cell is such text, and
 * its beginning reads better afterwards. Other cells, and those of more than 64 KB, are returned unchanged.
 */
export function repairDoubleEncoding(cell: string): string {
  if (cell.length > MAX_CELL_LENGTH) return cell
  let text = cell
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const repaired = undoneOnce(text)
    if (repaired === undefined) return text
    text = repaired
  }
  return text
}

function undoneOnce(text: string): string | undefined {
  for (const reading of MISREADINGS) {
    const repaired = undone(text, reading)
    if (repaired !== undefined) return repaired
  }
  return undefined
}

function undone(text: string, { pattern, bytes }: Misreading): string | undefined {
  if (!pattern.test(text)) return undefined
  const encoded = Buffer.allocUnsafe(text.length)
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const byte = code < 0x80 ? code : (bytes[code] as number)
    if (byte === 0 && code > 0) return undefined
    encoded[at] = byte
  }
  if (!isUtf8(encoded)) return undefined
  const decoded = encoded.toString('utf8')
  return !UNREADABLE.test(decoded) && readsBetter(text, encoded) ? decoded : undefined
}

/** Whether the bytes of a text, read as UTF-8, are less odd than the text. */
function readsBetter(text: string, encoded: Buffer): boolean {
  // With the character before it. Up to it, both texts are the same.
  const start = Math.max(0, encoded.findIndex((byte) => byte >= 0x80) - 1)
  let end = Math.min(text.length, start + EXCERPT_LENGTH)
  while (isContinuation(encoded[end])) end -= 1
  const excerpt = text.slice(start, end)
  const odd = LONE_LETTER.test(excerpt) ? 1 : oddness(excerpt)
  return oddness(encoded.toString('utf8', start, end)) < odd
}

/** Whether a byte of UTF-8 goes on with a character. */
const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80

const ESCAPED_BYTES = /(?:\\{1,2}x[89a-f][0-9a-f])+/gi

/** Replaces bytes that a program wrote as letters, such as `\xc3\xbc`, where they are characters in UTF-8. */
export const repairEscapedBytes = (cell: string): string =>
  cell.replace(ESCAPED_BYTES, (escaped) => {
    const bytes = Buffer.from(escaped.replace(/\\+x/gi, ''), 'hex')
    return isUtf8(bytes) ? bytes.toString('utf8') : escaped
  })
