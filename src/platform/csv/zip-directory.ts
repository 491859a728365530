import { InvalidInput } from '#src/platform/errors.ts'

/** A file inside a zip archive. */
export interface ZipEntry {
  name: string
  compressed: number
  /** In bytes, as the archive states it. */
  uncompressed: number
}

const MAX_ENTRIES = 10_000
const END_OF_DIRECTORY = 0x06054b50
const ENTRY = 0x02014b50
const ENTRY_BYTES = 46
/** The end of the directory stands before a comment of up to 64 KB. */
const MAX_END_BYTES = 22 + 0xffff

/**
 * Lists the files of a zip archive without unpacking them.
 * @throws InvalidInput if the archive is damaged or has too many files
 */
export function zipEntries(archive: Buffer): ZipEntry[] {
  const end = endOfDirectory(archive)
  const count = archive.readUInt16LE(end + 10)
  if (count > MAX_ENTRIES)
    throw new InvalidInput(`The archive has more than ${MAX_ENTRIES.toLocaleString('en')} files.`)
  const entries: ZipEntry[] = []
  let at = archive.readUInt32LE(end + 16)
  for (let index = 0; index < count; index++) {
    if (at + ENTRY_BYTES > archive.length || archive.readUInt32LE(at) !== ENTRY) throw damaged()
    const nameLength = archive.readUInt16LE(at + 28)
    entries.push({
      name: archive.toString('utf8', at + ENTRY_BYTES, at + ENTRY_BYTES + nameLength).replaceAll('\\', '/'),
      compressed: archive.readUInt32LE(at + 20),
      uncompressed: archive.readUInt32LE(at + 24),
    })
    at += ENTRY_BYTES + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32)
  }
  return entries
}

function endOfDirectory(archive: Buffer): number {
  for (let at = archive.length - 22; at >= Math.max(0, archive.length - MAX_END_BYTES); at--)
    if (archive.readUInt32LE(at) === END_OF_DIRECTORY) return at
  throw damaged()
}

const damaged = () =>
  new InvalidInput('The file is damaged or incomplete. Save it again, and upload the new one.')
