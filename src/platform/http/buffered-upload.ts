import { finished, type Readable } from 'node:stream'
import type { ReplayableFile } from '#src/platform/csv/replayable-file.ts'
import type { UploadFile, UploadFolder } from './upload-folder.ts'

export const MAX_MEMORY_BYTES = 1024 * 1024
/** While the disk is slower than the client, the upload waits. */
const PAUSE_BYTES = 4 * MAX_MEMORY_BYTES
/** In memory, a chunk of one byte costs more than one byte. */
const CHUNK_OVERHEAD_BYTES = 256

const sizeOf = (chunk: Buffer): number => chunk.length + CHUNK_OVERHEAD_BYTES

/**
 * Receives an upload as fast as it arrives, and keeps it for any number of readings. More than 1 MB wait in a file, so that
 * its client may disconnect when it is whole.
 */
export class BufferedUpload {
  readonly #source: Readable
  readonly #folder: UploadFolder
  #file: UploadFile | undefined
  /** What came after the content of the file. */
  #chunks: Buffer[] = []
  #size = 0
  #received = 0
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

  /**
   * Waits for the end of the upload.
   * @param onProgress called with the number of bytes that have arrived
   * @throws the error of the upload, Unavailable if it cannot be kept
   */
  async whole(onProgress: (received: number) => void = () => {}): Promise<ReplayableFile> {
    for (;;) {
      this.#throwError()
      onProgress(this.#received)
      if (this.#isWhole && !this.#isWriting) return { size: this.#received, read: () => this.#read() }
      await this.#changed.promise
    }
  }

  async *#read(): AsyncGenerator<Buffer> {
    this.#throwError()
    try {
      for await (const chunk of this.#content()) {
        yield chunk
        this.#throwError()
      }
    } catch (error) {
      // A file that was closed has an error of its own.
      this.#throwError()
      throw error
    }
  }

  async *#content(): AsyncGenerator<Buffer> {
    const chunks = this.#chunks
    if (this.#file) yield* this.#file.read()
    yield* chunks
  }

  #throwError(): void {
    if (this.#error !== undefined) throw this.#error
    if (this.#isClosed) throw new Error('The upload is closed.')
  }

  /** Removes the file. The rest is received and dropped: a client that is still sending would not read its answer. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#drop()
    await this.#written
    await this.#file?.close()
  }

  #receive(chunk: Buffer): void {
    if (this.#isClosed || this.#error !== undefined) return
    this.#chunks.push(chunk)
    this.#size += sizeOf(chunk)
    this.#received += chunk.length
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
