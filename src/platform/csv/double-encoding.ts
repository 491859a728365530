import { isUtf8 } from 'node:buffer'
import { decode, encodingNamed } from './encodings.ts'
import { oddness } from './plausibility.ts'

/** Longer cells are left as they are. */
const MAX_CELL_LENGTH = 256 * 1024
/** Tools one behind the other may each have encoded the text. */
const MAX_PASSES = 3

/** How UTF-8 looks when it is read in another encoding. */
interface Misreading {
  /** Finds what the first two bytes of a character look like. */
  pattern: RegExp
  /** The bytes of the characters that are not ASCII. */
  bytes: Map<string, number>
}

const imagesOf = (name: string): string[] =>
  Array.from({ length: 0x80 }, (_value, index) => {
    const image = decode(Buffer.from([0x80 + index]), encodingNamed(name))
    return image === '\ufffd' ? String.fromCharCode(0x80 + index) : image
  })

function misreading(name: string): Misreading {
  const images = imagesOf(name)
  const bytes = new Map(images.map((image, index) => [image, 0x80 + index]))
  // Some tools read Windows-1252 as Latin-1.
  if (name === 'windows-1252')
    for (let byte = 0x80; byte < 0xa0; byte++) bytes.set(String.fromCharCode(byte), byte)
  const classOf = (from: number, to: number) =>
    `[${[...bytes]
      .filter(([, byte]) => byte >= from && byte <= to)
      .map(([image]) => `\\u${image.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join('')}]`
  return { bytes, pattern: new RegExp(classOf(0xc2, 0xf4) + classOf(0x80, 0xbf)) }
}

const MISREADINGS = ['windows-1252', 'windows-1251', 'cp850', 'cp437', 'macintosh'].map(misreading)

const UNREADABLE = /[\u0080-\u009f\ufffd\ue000-\uf8ff\p{Cn}]/u
/** No word ends with this letter, which is what the first byte of signs such as ® looks like. */
const LONE_LETTER = /\u00c2[\u0080-\u00bf]/

/**
 * The text of a cell that was encoded in UTF-8 twice or more, such as `MÃ¼ller`: only if the whole cell is such text, and
 * reads better afterwards. Other cells are returned unchanged.
 */
export function repairDoubleEncoding(cell: string): string {
  if (cell.length > MAX_CELL_LENGTH) return cell
  let text = cell
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const repaired = MISREADINGS.map((reading) => undone(text, reading)).find((found) => found !== undefined)
    if (repaired === undefined) return text
    text = repaired
  }
  return text
}

function undone(text: string, { pattern, bytes }: Misreading): string | undefined {
  if (!pattern.test(text)) return undefined
  const encoded = Buffer.allocUnsafe(text.length)
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const byte = code < 0x80 ? code : bytes.get(text[at] as string)
    if (byte === undefined) return undefined
    encoded[at] = byte
  }
  if (!isUtf8(encoded)) return undefined
  const decoded = encoded.toString('utf8')
  if (UNREADABLE.test(decoded)) return undefined
  const odd = LONE_LETTER.test(text) ? 1 : oddness(text)
  return oddness(decoded) < odd ? decoded : undefined
}

const ESCAPED_BYTES = /(?:\\{1,2}x[89a-f][0-9a-f])+/gi

/** Replaces bytes that a program wrote as letters, such as `\xc3\xbc`, where they are characters in UTF-8. */
export const repairEscapedBytes = (cell: string): string =>
  cell.replace(ESCAPED_BYTES, (escaped) => {
    const bytes = Buffer.from(escaped.replace(/\\+x/gi, ''), 'hex')
    return isUtf8(bytes) ? bytes.toString('utf8') : escaped
  })
