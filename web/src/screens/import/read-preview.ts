import { strings } from '#strings/import.ts'
import { UserFacingError } from '#web/service/error-message.ts'

/** The first rows of a file, read in the browser. */
export interface Preview {
  header: string[]
  rows: string[][]
}

/** The file cannot be imported. */
export class InvalidFile extends UserFacingError {}

const PREVIEW_BYTES = 256 * 1024
const PREVIEW_ROWS = 6

/**
 * Reads the column names and the first rows of a file.
 * @throws InvalidFile
 */
export async function readPreview(file: File): Promise<Preview> {
  const [start, { parse }] = await Promise.all([
    file
      .slice(0, PREVIEW_BYTES)
      .arrayBuffer()
      .catch(() => {
        throw new InvalidFile(strings.unreadable)
      }),
    import('csv-parse/browser/esm/sync'),
  ])
  const text = decode(new Uint8Array(start)).replace(/^[\r\n]+/, '')
  if (text.trim() === '') throw new InvalidFile(strings.empty)
  const records = parse(text, {
    delimiter: delimiterOf(text),
    to: PREVIEW_ROWS,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
  })
  const [header = [], ...rows] = records
  return { header: header.map((name) => name.trim()), rows }
}

/** Decodes like the service: UTF-16 by its byte order mark, then UTF-8, then Windows-1252. */
function decode(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  if (bytes.includes(0)) throw new InvalidFile(strings.notText)
  try {
    // The slice may end in the middle of a character.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** The most frequent delimiter outside quotes in the first line, as the service chooses it. */
function delimiterOf(text: string): string {
  const line = text.replace(/"[^"]*"/g, '').split(/[\r\n]/, 1)[0] ?? ''
  const counts = [',', ';', '\t', '|'].map((delimiter) => ({
    delimiter,
    count: line.split(delimiter).length,
  }))
  return counts.reduce((best, candidate) => (candidate.count > best.count ? candidate : best)).delimiter
}
