import { finished, type Readable } from 'node:stream'
import type { UploadFile, UploadFolder } from './upload-folder.ts'

export const MAX_MEMORY_BYTES = 1024 * 1024
/** While the disk is slower than the client, the upload waits. */
const PAUSE_BYTES = 4 * MAX_MEMORY_BYTES
const READ_BYTES = 64 * 1024
/** In memory, a chunk of one byte costs more than one byte. */
const CHUNK_OVERHEAD_BYTES = 256

const sizeOf = (chunk: Buffer): number => chunk.length + CHUNK_OVERHEAD_BYTES

/**
 * Receives an upload as fast as it arrives, for a reader that is slower. More than 1 MB wait in a file, so that the upload
 * soon is whole, and its client may disconnect.
 */
export class BufferedUpload {
  readonly #source: Readable
  readonly #folder: UploadFolder
  #file: UploadFile | undefined
  /** What came after the content of the file. */
  #chunks: Buffer[] = []
  #size = 0
  #isWriting = false
  /** Settled when nothing is being written. */
  #written: Promise<void> = Promise.resolve()
  #isWhole = false
  #isClosed = false
  #error: unknown
  #changed = Promise.withResolvers<void>()

  constructor(source: Readable, folder: UploadFolder) {
    this.#source = source
    this.#folder = folder
    source.on('data', (chunk: Buffer) => this.#receive(chunk))
    // It also keeps listening for errors, such as that of a client that disconnects later.
    finished(source, { writable: false }, (error) => (error ? this.fail(error) : this.#complete()))
  }

  /** Ends the reading with an error, whatever has arrived. */
  fail(error: unknown): void {
    this.#error ??= error
    this.#drop()
  }

  /** What has arrived, then the rest as it arrives. For one reader. */
  async *read(): AsyncGenerator<Buffer> {
    for (;;) {
      if (this.#error !== undefined) throw this.#error
      if (this.#file && this.#file.unread > 0) yield await this.#file.read(READ_BYTES)
      else if (!this.#isWriting && this.#chunks.length > 0) yield this.#first()
      else if (this.#isWhole && !this.#isWriting) return
      else await this.#changed.promise
    }
  }

  /** Removes the file. The rest is received and dropped: a client that is still sending would not read its answer. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#drop()
    await this.#written
    await this.#file?.close()
  }

  #first(): Buffer {
    const chunk = this.#chunks.shift() as Buffer
    this.#size -= sizeOf(chunk)
    return chunk
  }

  #receive(chunk: Buffer): void {
    if (this.#isClosed || this.#error !== undefined) return
    this.#chunks.push(chunk)
    this.#size += sizeOf(chunk)
    if (this.#size > PAUSE_BYTES) this.#source.pause()
    if (this.#size > MAX_MEMORY_BYTES && !this.#isWriting) {
      this.#isWriting = true
      this.#written = this.#write()
    }
    this.#wake()
  }

  async #write(): Promise<void> {
    try {
      while (this.#size > MAX_MEMORY_BYTES) {
        const bytes = Buffer.concat(this.#take())
        this.#file ??= await this.#folder.create()
        await this.#file.append(bytes)
        this.#source.resume()
        this.#wake()
      }
    } catch (error) {
      this.fail(error)
    }
    this.#isWriting = false
    this.#wake()
  }

  #take(): Buffer[] {
    const chunks = this.#chunks
    this.#chunks = []
    this.#size = 0
    return chunks
  }

  #complete(): void {
    this.#isWhole = true
    this.#wake()
  }

  #drop(): void {
    this.#take()
    this.#source.resume()
    this.#wake()
  }

  #wake(): void {
    this.#changed.resolve()
    this.#changed = Promise.withResolvers()
  }
}
