import { createInflateRaw } from 'node:zlib'
import { InvalidInput, printable } from '#src/platform/errors.ts'
import { truncate } from '#src/platform/truncate.ts'

/** A file inside a zip archive. */
export interface ZipEntry {
  name: string
  /** In bytes, as the archive states it. */
  uncompressed: number
  /** Where its local header begins. */
  offset: number
  /** Further fields of the directory. */
  extra: Buffer
}

const MAX_ENTRIES = 10_000
const END_OF_DIRECTORY = 'PK\x05\x06'
const END_BYTES = 22
const ENTRY = 0x02014b50
const ENTRY_BYTES = 46
const LOCAL_HEADER = 0x04034b50
const LOCAL_HEADER_BYTES = 30
const DEFLATED = 8
const LARGE_SIZE_FIELD = 1
/** Stands for a size in the field above. */
const LARGE = 0xffffffff

/**
 * Lists the files of a zip archive without unpacking them. It looks for the directory as the library that parses workbooks
 * does, so that an archive cannot hide files from this check.
 * @throws InvalidInput if the archive is damaged or has too many files
 */
export function zipEntries(archive: Buffer): ZipEntry[] {
  const end = archive.lastIndexOf(END_OF_DIRECTORY, undefined, 'latin1')
  if (end < 0 || end + END_BYTES > archive.length) throw damaged()
  const count = archive.readUInt16LE(end + 8)
  if (count > MAX_ENTRIES)
    throw new InvalidInput(`The archive has more than ${MAX_ENTRIES.toLocaleString('en')} files.`)
  const entries: ZipEntry[] = []
  let at = archive.readUInt32LE(end + 16)
  for (let index = 0; index < count; index++) {
    if (at + ENTRY_BYTES > archive.length || archive.readUInt32LE(at) !== ENTRY) throw damaged()
    const nameEnd = at + ENTRY_BYTES + archive.readUInt16LE(at + 28)
    const extraEnd = nameEnd + archive.readUInt16LE(at + 30)
    entries.push({
      name: archive.toString('utf8', at + ENTRY_BYTES, nameEnd).replaceAll('\\', '/'),
      uncompressed: archive.readUInt32LE(at + 24),
      offset: archive.readUInt32LE(at + 42),
      extra: archive.subarray(nameEnd, extraEnd),
    })
    at = extraEnd + archive.readUInt16LE(at + 32)
  }
  return entries
}

/**
 * Decompresses the files of an archive one by one, and keeps nothing of them.
 * @throws InvalidInput if one is larger than the archive states, if its sizes differ, or if it is damaged
 */
export async function requireStatedSizes(archive: Buffer, signal?: AbortSignal): Promise<void> {
  for (const entry of zipEntries(archive)) {
    const { offset } = entry
    if (offset + LOCAL_HEADER_BYTES > archive.length || archive.readUInt32LE(offset) !== LOCAL_HEADER)
      throw damaged()
    const nameEnd = offset + LOCAL_HEADER_BYTES + archive.readUInt16LE(offset + 26)
    const extraEnd = nameEnd + archive.readUInt16LE(offset + 28)
    const stated = [archive.readUInt32LE(offset + 22), archive.subarray(nameEnd, extraEnd)] as const
    if (!isSizeRepeated(entry, ...stated)) throw oversized(entry)
    // Only the compressed data itself says where it ends.
    if (archive.readUInt16LE(offset + 8) === DEFLATED)
      await requireStatedSize(entry, archive.subarray(extraEnd), signal)
  }
}

/** Whether the local header states the size of the directory, or none. The library reserves memory for its size. */
function isSizeRepeated({ uncompressed, extra }: ZipEntry, local: number, localExtra: Buffer): boolean {
  const large = [largeSize(extra), largeSize(localExtra)].filter((size) => size !== 0)
  const sizes = local === LARGE && large.length > 0 ? large : [local, ...large]
  return sizes.every((size) => size === 0 || size === uncompressed)
}

/** The size in the extra field for files that may be large (ZIP64); 0: there is none. */
function largeSize(extra: Buffer): number {
  let large = 0
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2))
    if (extra.readUInt16LE(at) === LARGE_SIZE_FIELD)
      large = at + 12 <= extra.length ? Number(extra.readBigUInt64LE(at + 4)) : LARGE
  return large
}

async function requireStatedSize(entry: ZipEntry, compressed: Buffer, signal?: AbortSignal): Promise<void> {
  const inflate = createInflateRaw({ chunkSize: 64 * 1024 })
  inflate.end(compressed)
  let size = 0
  try {
    for await (const chunk of inflate as AsyncIterable<Buffer>) {
      signal?.throwIfAborted()
      size += chunk.length
      if (size > entry.uncompressed) throw oversized(entry)
    }
  } catch (error) {
    throw /^Z_/.test((error as NodeJS.ErrnoException).code ?? '') ? damaged() : error
  }
}

const oversized = ({ name }: ZipEntry) =>
  new InvalidInput(
    `The file is damaged: its part "${printable(truncate(name, 100))}" is larger than the archive states. Save it again, and upload the new one.`,
  )

const damaged = () =>
  new InvalidInput('The file is damaged or incomplete. Save it again, and upload the new one.')
