import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { constants, createZstdCompress } from 'node:zlib'
import { Encrypter } from 'age-encryption'
import { pack } from 'tar-stream'
import { HEADER_PART, type Header, MANIFEST_PART, type Manifest } from './manifest.ts'

/** What is compressed at once: in a busy process, each step waits for its turn. */
const BLOCK_BYTES = 256 * 1024
const EPOCH = new Date(0)

/**
 * Writes a backup: a tar archive, compressed with zstd, and encrypted with age if there is a passphrase. The first part says
 * what it is, the last one lists all others with their checksums, so that a part that is missing or damaged is found.
 */
export class ArchiveWriter {
  readonly #tar = pack({ highWaterMark: 4 * BLOCK_BYTES })
  readonly #parts: Manifest['parts'] = []
  readonly #written: Promise<void>

  constructor(output: Writable, passphrase: string | undefined) {
    const compressor = createZstdCompress({
      params: { [constants.ZSTD_c_checksumFlag]: 1 },
      chunkSize: BLOCK_BYTES,
    })
    // `pipeline` reports errors, and no longer listens once it has failed.
    for (const stream of [this.#tar, compressor, output]) stream.on('error', () => {})
    const compressed = pipeline(inBlocks(this.#tar as AsyncIterable<Buffer>), compressor)
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

  /**
   * Writes a part as it is read, and remembers its checksum.
   * @param size of the content, in bytes
   * @throws Error if the content is longer or shorter
   */
  async addStream(name: string, size: number, content: AsyncIterable<Buffer>): Promise<void> {
    const hash = createHash('sha256')
    await this.#guarded(async () => {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const entry = this.#tar.entry({ name, size, mtime: EPOCH }, (error) =>
        error ? reject(error) : resolve(),
      )
      entry.on('error', reject)
      promise.catch(() => {})
      let bytes = 0
      for await (const chunk of content) {
        hash.update(chunk)
        bytes += chunk.length
        if (bytes > size) break
        if (!entry.write(chunk)) await Promise.race([once(entry, 'drain'), promise, this.#written])
      }
      if (bytes !== size)
        throw new Error(`${name} is no longer ${size} bytes long, as it was when it was opened.`)
      entry.end(null)
      await Promise.race([promise, this.#written])
    })
    this.#parts.push({ name, bytes: size, sha256: hash.digest('hex') })
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

  #write(name: string, content: Buffer): Promise<void> {
    return this.#guarded(() => {
      const entry = new Promise<void>((resolve, reject) => {
        const header = { name, size: content.length, mtime: EPOCH }
        this.#tar.entry(header, content, (error) => (error ? reject(error) : resolve())).on('error', () => {})
      })
      return Promise.race([entry, this.#written])
    })
  }

  /** Why the output failed says more than that the archive was closed. */
  async #guarded(write: () => Promise<void>): Promise<void> {
    try {
      await write()
    } catch (error) {
      this.#tar.destroy(error as Error)
      await this.#written
      throw error
    }
  }
}

/** Joins small chunks. */
async function* inBlocks(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let block: Buffer[] = []
  let bytes = 0
  for await (const chunk of chunks) {
    block.push(chunk)
    bytes += chunk.length
    if (bytes < BLOCK_BYTES) continue
    yield Buffer.concat(block)
    block = []
    bytes = 0
  }
  if (bytes > 0) yield Buffer.concat(block)
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

const sha256 = (content: Buffer): string => createHash('sha256').update(content).digest('hex')
