import { type Entry, getFileNameLowLevel, openPromise, type ZipFile } from 'yauzl'
import { DAMAGED, MAX_UNPACKED_BYTES, MAX_ZIP_ENTRIES, NoText } from './limits.ts'

/** Entries that are looked at in a directory of a ZIP. `ArchiveDetails` documents it. */
const MAX_DIRECTORY = 65_536
const TOO_MUCH = `It unpacks to more than ${MAX_UNPACKED_BYTES / 1024 / 1024} MB or ${MAX_ZIP_ENTRIES} parts, which is not read.`

interface ArchiveEntry {
  name: string
  /** As stated, unpacked. */
  size: number
}

/** A ZIP archive. What is read of it has limits, whatever its directory states. */
export class Archive {
  readonly #zip: ZipFile
  readonly #entries: Map<string, Entry>
  /** All entries in their order, also those with the same name. */
  readonly contents: readonly ArchiveEntry[]
  #read = 0
  #bytes = 0

  private constructor(zip: ZipFile, entries: Map<string, Entry>, contents: readonly ArchiveEntry[]) {
    this.#zip = zip
    this.#entries = entries
    this.contents = contents
  }

  /** Opens the file. @throws NoText if it is no ZIP */
  static async open(path: string): Promise<Archive> {
    try {
      // Names are never paths here, so that strange ones do no harm.
      const zip = await openPromise(path, { autoClose: false, decodeStrings: false })
      const entries = new Map<string, Entry>()
      const contents: ArchiveEntry[] = []
      for await (const entry of zip.eachEntry()) {
        if (contents.length >= MAX_DIRECTORY) break
        const { generalPurposeBitFlag: flags, fileNameRaw, extraFields } = entry
        const name = getFileNameLowLevel(flags, fileNameRaw, extraFields ?? [], false)
        entries.set(name, entry)
        contents.push({ name, size: entry.uncompressedSize })
      }
      return new Archive(zip, entries, contents)
    } catch {
      throw new NoText('unreadable', DAMAGED)
    }
  }

  get names(): string[] {
    return [...this.#entries.keys()]
  }

  has(name: string): boolean {
    return this.#entries.has(name)
  }

  /** Unpacks everything and keeps nothing, before a library does the same. @throws NoText beyond the limits */
  async checkAll(): Promise<void> {
    for (const name of this.#entries.keys()) for await (const _ of this.read(name));
  }

  /**
   * Unpacks an entry. Missing ones are empty.
   * @throws NoText if all entries that were read are too large, or if it is encrypted or damaged
   */
  async *read(name: string): AsyncGenerator<Buffer> {
    const entry = this.#entries.get(name)
    if (!entry) return
    if (entry.isEncrypted()) throw new NoText('encrypted', 'It is protected with a password.')
    this.#read += 1
    if (this.#read > MAX_ZIP_ENTRIES || this.#bytes + entry.uncompressedSize > MAX_UNPACKED_BYTES)
      throw new NoText('unreadable', TOO_MUCH)
    try {
      // It fails for an entry that is larger than stated.
      for await (const chunk of await this.#zip.openReadStreamPromise(entry)) {
        this.#bytes += chunk.length
        yield chunk
      }
    } catch {
      throw new NoText('unreadable', DAMAGED)
    }
  }
}
