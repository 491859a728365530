import { InvalidInput } from '#src/platform/errors.ts'
import { truncate } from '#src/platform/truncate.ts'
import { requireStatedSizes, type ZipEntry, zipEntries } from './zip-directory.ts'

const MB = 1024 * 1024
const MAX_UNCOMPRESSED_BYTES = 400 * MB

/**
 * Checks an archive before a thread parses it, which cannot stop in the middle of a file.
 * @throws InvalidInput if it is no workbook, too large, or larger than it states
 */
export async function requireZipWorkbook(archive: Buffer, signal?: AbortSignal): Promise<void> {
  const entries = zipEntries(archive)
  const message = otherArchive(entries, archive)
  if (message) throw new InvalidInput(message)
  const bytes = entries.reduce((sum, { uncompressed }) => sum + uncompressed, 0)
  if (bytes > MAX_UNCOMPRESSED_BYTES)
    throw new InvalidInput(
      `The workbook is larger than ${MAX_UNCOMPRESSED_BYTES / MB} MB when it is unpacked. Save the sheet as CSV (UTF-8), which may be of any size.`,
    )
  await requireStatedSizes(archive, signal)
}

const WORKBOOK = /(?:^|\/)workbook\d*\.(?:xml|bin)$/
const SPREADSHEET_TYPE = /^application\/vnd\.oasis\.opendocument\.spreadsheet/

/** What the archive is instead of a workbook, as a message. */
function otherArchive(entries: ZipEntry[], archive: Buffer): string | undefined {
  const has = (pattern: RegExp) => entries.some(({ name }) => pattern.test(name))
  if (has(/^word\/document\d*\.xml$/)) return document('a Word document')
  if (has(/^ppt\/presentation\.xml$/)) return document('a PowerPoint presentation')
  if (has(/^Index\/Document\.iwa$|^index\.(?:apxl|xml)(?:\.gz)?$|^Index\.zip$/))
    return 'This is a document of Apple Numbers, Pages, or Keynote. Open it in Numbers, and export it as CSV (UTF-8) or Excel.'
  if (has(WORKBOOK)) return undefined
  const type = mediaType(archive)
  if (type && SPREADSHEET_TYPE.test(type)) return undefined
  if (type?.startsWith('application/vnd.oasis.opendocument')) return document('an OpenDocument text')
  // Some programs write the media type elsewhere.
  if (!type && has(/^content\.xml$/) && has(/^META-INF\/manifest\.xml$/)) return undefined
  if (type === 'application/epub+zip') return 'This is an e-book, not a table.'
  const tables = entries.map(({ name }) => name).filter((name) => /\.(?:csv|tsv|txt|xlsx?|ods)$/i.test(name))
  return tables.length > 0
    ? `This is a zip archive. Unpack it first, and upload ${tables.length === 1 ? truncate(tables[0] as string, 100) : 'one of its files'}.`
    : 'This is a zip archive, not a table. Unpack it first, and upload a table in it.'
}

const document = (what: string): string =>
  `This is ${what}, not a table. Copy its table to a spreadsheet, and save it as CSV (UTF-8) or XLSX.`

const LOCAL_HEADER_BYTES = 30

/** The first file of an OpenDocument archive has the media type, uncompressed. */
function mediaType(archive: Buffer): string | undefined {
  const first = archive.toString('latin1', LOCAL_HEADER_BYTES, 200)
  return /^mimetype([\w./+-]*?)(?:PK|$)/.exec(first)?.[1]
}

const utf16 = (name: string): Buffer => Buffer.from(name, 'utf16le')

/**
 * Checks a file in the format of old Office programs, by the names in its directory.
 * @throws InvalidInput if it is no workbook
 */
export function requireOleWorkbook(file: Buffer): void {
  if (file.includes(utf16('EncryptedPackage'))) throw new InvalidInput(ENCRYPTED)
  if (file.includes(utf16('Workbook')) || file.includes(utf16('Book'))) return
  if (file.includes(utf16('WordDocument'))) throw new InvalidInput(document('a Word document'))
  if (file.includes(utf16('PowerPoint Document')))
    throw new InvalidInput(document('a PowerPoint presentation'))
  if (file.includes(utf16('__substg1.0_'))) throw new InvalidInput('This is an email message, not a table.')
  throw new InvalidInput(document('a document of an Office program'))
}

export const ENCRYPTED =
  'The workbook is protected with a password. Save it without a password, and upload it again.'
