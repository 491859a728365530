import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { Readable, type Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import { Decrypter, Encrypter } from 'age-encryption'
import { type Header as EntryHeader, extract, pack } from 'tar-stream'
import { BackupRefused } from './backup-refused.ts'
import { FORMAT, HEADER_PART, type Header, MANIFEST_PART, type Manifest, PRODUCT } from './manifest.ts'

const AGE_MAGIC = 'age-encryption.org/v1'
const ZSTD_MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])

/**
 * Writes a backup: a tar archive, compressed with zstd, and encrypted with age if there is a passphrase. The first part says
 * what it is, the last one lists all others with their checksums, so that a part that is missing or damaged is found.
 */
export class ArchiveWriter {
  readonly #tar = pack()
  readonly #parts: Manifest['parts'] = []
  readonly #written: Promise<void>

  constructor(output: Writable, passphrase: string | undefined) {
    const compressor = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } })
    // `pipeline` reports errors, and no longer listens once it has failed.
    for (const stream of [this.#tar, compressor, output]) stream.on('error', () => {})
    const compressed = pipeline(this.#tar, compressor)
    const saved = encrypted(compressor, passphrase).then((body) => pipeline(body, output))
    this.#written = Promise.all([compressed, saved]).then(() => {})
    // Reported by `finish`, or by the part that is being written.
    this.#written.catch((error) => this.#tar.destroy(error))
  }

  /** Writes the first part. */
  start(header: Header): Promise<void> {
    return this.#write(HEADER_PART, Buffer.from(JSON.stringify(header, undefined, 2)))
  }

  /** Writes a part and remembers its checksum. */
  async add(name: string, content: Buffer): Promise<void> {
    this.#parts.push({ name, bytes: content.length, sha256: sha256(content) })
    await this.#write(name, content)
  }

  /** Writes the last part and waits until everything is written. */
  async finish(summary: Omit<Manifest, 'parts'>): Promise<Manifest> {
    const manifest = { ...summary, parts: this.#parts }
    await this.#write(MANIFEST_PART, Buffer.from(JSON.stringify(manifest)))
    this.#tar.finalize()
    await this.#written
    return manifest
  }

  /** Gives up: the output is destroyed. */
  abort(error: Error): void {
    this.#tar.destroy(error)
  }

  async #write(name: string, content: Buffer): Promise<void> {
    const entry = new Promise<void>((resolve, reject) => {
      const header = { name, size: content.length, mtime: new Date(0) }
      this.#tar.entry(header, content, (error) => (error ? reject(error) : resolve())).on('error', () => {})
    })
    try {
      await Promise.race([entry, this.#written])
    } catch (error) {
      // Why the output failed says more than that the archive was closed.
      this.#tar.destroy(error as Error)
      await this.#written
      throw error
    }
  }
}

/** The stream, encrypted with age if there is a passphrase. */
export async function encrypted(body: Readable, passphrase: string | undefined): Promise<Readable> {
  if (passphrase === undefined) return body
  const encrypter = new Encrypter()
  encrypter.setPassphrase(passphrase)
  return Readable.fromWeb(
    (await encrypter.encrypt(Readable.toWeb(body) as globalThis.ReadableStream)) as ReadableStream,
  )
}

/** What reads a backup. Both get all parts in their order. */
export interface PartVisitor {
  header?(header: Header): Promise<void> | void
  part?(name: string, content: Buffer): Promise<void> | void
}

/**
 * Reads a backup to its end and checks every part.
 * @throws BackupRefused if it is no backup, damaged, incomplete, of a newer version, or encrypted with another passphrase
 */
export async function readArchive(
  input: Readable,
  passphrase: string | undefined,
  visitor: PartVisitor = {},
): Promise<{ header: Header; manifest: Manifest }> {
  let header: Header | undefined
  let manifest: Manifest | undefined
  const parts: Manifest['parts'] = []
  for await (const { name, content } of entriesOf(await decompressed(input, passphrase))) {
    if (!header) {
      header = parseHeader(name, content)
      await visitor.header?.(header)
    } else if (name === MANIFEST_PART) manifest = JSON.parse(content.toString()) as Manifest
    else {
      if (manifest) throw damaged()
      parts.push({ name, bytes: content.length, sha256: sha256(content) })
      await visitor.part?.(name, content)
    }
  }
  if (!header || !manifest) throw incomplete()
  if (JSON.stringify(parts) !== JSON.stringify(manifest.parts)) throw damaged()
  return { header, manifest }
}

const damaged = (cause?: unknown) =>
  new BackupRefused('The backup is damaged: its content does not match its checksums. Use another one.', {
    cause,
  })
const incomplete = () =>
  new BackupRefused('The backup is incomplete: its end is missing. Copy it again, or use another one.')
const foreign = () => new BackupRefused('The file is not a backup of deal-pipeline.')

function parseHeader(name: string, content: Buffer): Header {
  let header: Header
  try {
    header = JSON.parse(content.toString()) as Header
  } catch {
    throw foreign()
  }
  if (name !== HEADER_PART || header.product !== PRODUCT) throw foreign()
  if (header.format > FORMAT)
    throw new BackupRefused(
      `The backup was made by version ${header.version}, whose format this version does not know. Restore it with that version or a newer one.`,
    )
  return header
}

async function* entriesOf(body: Readable): AsyncGenerator<{ name: string; content: Buffer }> {
  const archive = extract()
  const read = pipeline(body, archive)
  read.catch(() => {})
  try {
    for await (const entry of archive as AsyncIterable<Readable & { header: EntryHeader }>)
      yield { name: entry.header.name, content: await buffer(entry) }
    await read
  } catch (error) {
    throw explained(error)
  }
}

/** Errors of the decompressor, the decryption, and the archive are those of a damaged or cut file. */
function explained(error: unknown): unknown {
  if (error instanceof BackupRefused) return error
  const { code = '', message, syscall } = error as NodeJS.ErrnoException
  // The file cannot be read, whatever its name is.
  if (syscall) return error
  if (/unexpected end|premature close/i.test(`${code} ${message}`) || code === 'Z_BUF_ERROR')
    return incomplete()
  if (code.startsWith('ZSTD_') || /header|checksum|stream|decrypt|chunk|invalid tag|tar/i.test(message))
    return damaged(error)
  return error
}

async function decompressed(input: Readable, passphrase: string | undefined): Promise<Readable> {
  const start = await peek(input, AGE_MAGIC.length)
  const isEncrypted = start.toString('latin1') === AGE_MAGIC
  if (!isEncrypted && !start.subarray(0, 4).equals(ZSTD_MAGIC))
    throw AGE_MAGIC.startsWith(start.toString('latin1')) || ZSTD_MAGIC.subarray(0, start.length).equals(start)
      ? incomplete()
      : foreign()
  const compressed = isEncrypted ? await decrypted(input, passphrase) : input
  const decompressor = createZstdDecompress()
  compressed.on('error', (error) => decompressor.destroy(error))
  return compressed.pipe(decompressor)
}

async function decrypted(body: Readable, passphrase: string | undefined): Promise<Readable> {
  if (passphrase === undefined)
    throw new BackupRefused('The backup is encrypted. Set BACKUP_PASSPHRASE to its passphrase.')
  const decrypter = new Decrypter()
  decrypter.addPassphrase(passphrase)
  try {
    const plain = await decrypter.decrypt(Readable.toWeb(body) as globalThis.ReadableStream)
    return Readable.fromWeb(plain as ReadableStream)
  } catch (error) {
    if (/no identity matched/i.test((error as Error).message))
      throw new BackupRefused('BACKUP_PASSPHRASE is not the passphrase of this backup.', { cause: error })
    throw explained(error)
  }
}

/** The first bytes of a stream, which stay in it. There are fewer if it ends. */
async function peek(input: Readable, length: number): Promise<Buffer> {
  let start = Buffer.alloc(0)
  while (start.length < length && !input.readableEnded) {
    const chunk = input.read() as Buffer | null
    if (chunk) start = Buffer.concat([start, chunk])
    else await Promise.race([once(input, 'readable'), once(input, 'end')])
  }
  if (start.length > 0 && !input.readableEnded) input.unshift(start)
  return start.subarray(0, length)
}

const sha256 = (content: Buffer): string => createHash('sha256').update(content).digest('hex')
