import { InvalidInput } from '#src/platform/errors.ts'

export type Container = 'text' | 'gzip' | 'zip' | 'ole' | 'xml-workbook'

const SAVE_AS = 'Open it in a spreadsheet, and save it as CSV (UTF-8) or XLSX.'

/** Files that are no tables, by their first bytes. */
const OTHERS: [magic: string, message: string][] = [
  ['%PDF-', 'This is a PDF, not a table. Ask for the data as CSV or as a workbook (XLSX).'],
  ['\x89PNG', 'This is a PNG image, not a table.'],
  ['\xff\xd8\xff', 'This is a JPEG image, not a table.'],
  ['GIF8', 'This is a GIF image, not a table.'],
  ['II*\0', 'This is a TIFF image, not a table.'],
  ['MM\0*', 'This is a TIFF image, not a table.'],
  [
    '{\\rtf',
    'This is an RTF document, not a table. Copy its table to a spreadsheet, and save it as CSV (UTF-8) or XLSX.',
  ],
  ['PAR1', 'This is a Parquet file. Convert it to CSV (UTF-8).'],
  ['ARROW1', 'This is an Arrow file. Convert it to CSV (UTF-8).'],
  ['Obj\x01', 'This is an Avro file. Convert it to CSV (UTF-8).'],
  ['SQLite format 3\0', 'This is an SQLite database. Export its table as CSV (UTF-8).'],
  ['Rar!', 'This is a RAR archive. Unpack it first.'],
  ["7z\xbc\xaf'\x1c", 'This is a 7z archive. Unpack it first.'],
  ['BZh', 'This is a bzip2 archive. Unpack it first.'],
  ['\xfd7zXZ\0', 'This is an xz archive. Unpack it first.'],
  ['\x28\xb5\x2f\xfd', 'This is a zstd archive. Unpack it first.'],
  ['BEGIN:VCARD', 'This is a list of contacts (vCard), not a table.'],
  ['BEGIN:VCALENDAR', 'This is a calendar, not a table.'],
  ['\x7fELF', 'This is a program, not a table.'],
]

/** Texts that are no tables, by how they begin behind a mark and blanks. */
const OTHER_TEXTS: [start: RegExp, message: string][] = [
  [/^(?:\{\s*(?:"|\})|\[\s*(?:[{["\]]|$))/, 'This is JSON, not a table. Convert it to CSV (UTF-8).'],
  [
    /^<(?:!doctype html|html|head|body|table|meta|div|style|script|title|center|font)\b/i,
    `This is an HTML page, not a table. Some tools export HTML under the name .xls. ${SAVE_AS}`,
  ],
  [/^<svg\b/i, 'This is an SVG image, not a table.'],
  [/^<\?xml\b/i, `This is an XML file, not a table. ${SAVE_AS}`],
]

const XML_WORKBOOK = /urn:schemas-microsoft-com:office:spreadsheet|progid="Excel\.Sheet"/

/**
 * What a file is, by its first bytes.
 * @param start at least 4 KB, or the whole file
 * @throws InvalidInput if it is no table; the message names what it is, and what to do
 */
export function containerOf(start: Buffer): Container {
  const bytes = start.toString('latin1')
  if (bytes.startsWith('\x1f\x8b')) return 'gzip'
  if (bytes.startsWith('PK\x03\x04') || bytes.startsWith('PK\x05\x06')) return 'zip'
  if (bytes.startsWith('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')) return 'ole'
  requireTable(bytes)
  const text = textOf(start).trimStart()
  if (text === '' && bytes.trim() === '') throw new InvalidInput('The file is empty.')
  if (/^<(?:\?xml|\?mso|workbook)/i.test(text) && XML_WORKBOOK.test(text)) return 'xml-workbook'
  for (const [pattern, message] of OTHER_TEXTS) if (pattern.test(text)) throw new InvalidInput(message)
  return 'text'
}

function requireTable(bytes: string): void {
  for (const [magic, message] of OTHERS) if (bytes.startsWith(magic)) throw new InvalidInput(message)
  if (bytes.startsWith('RIFF') && bytes.startsWith('WEBP', 8))
    throw new InvalidInput('This is a WebP image, not a table.')
  if (bytes.startsWith('ftyp', 4)) throw new InvalidInput('This is an image or a video, not a table.')
  if (bytes.startsWith('BM') && bytes.startsWith('\0\0\0\0', 6))
    throw new InvalidInput('This is a BMP image, not a table.')
  if (bytes.startsWith('ustar', 257)) throw new InvalidInput('This is a tar archive. Unpack it first.')
}

/** Its letters, whatever the encoding. */
function textOf(start: Buffer): string {
  const [first, second] = start
  if (first === 0xff && second === 0xfe) return start.toString('utf16le').slice(1)
  // UTF-16 and UTF-32 have zeros between plain letters.
  return start
    .toString('latin1')
    .replace(/^(?:\xef\xbb\xbf|\xfe\xff)/, '')
    .replaceAll('\0', '')
}
