import { Worker } from 'node:worker_threads'
import type { FileContent } from './write-whole.ts'
import type { WriteError } from './writing-thread.ts'

interface Limits {
  /** Then the thread ends, which frees about 10 MB. */
  idleMs?: number
  /** For one call. A folder on a network may never answer. */
  writeMs?: number
}

/** Writes many files in a thread: creating one takes up to a millisecond, in which the event loop serves others. */
export class FileWriter {
  readonly #unfinished: string
  readonly #idleMs: number
  readonly #writeMs: number
  #thread: Worker | undefined
  /** A thread whose disk does not answer. It cannot end before the disk does. */
  #unresponsive: Worker | undefined
  #idle: NodeJS.Timeout | undefined
  #last: Promise<unknown> = Promise.resolve()

  /** @param unfinished a folder on the same disk, for files until they are whole */
  constructor(unfinished: string, { idleMs = 10_000, writeMs = 30_000 }: Limits = {}) {
    this.#unfinished = unfinished
    this.#idleMs = idleMs
    this.#writeMs = writeMs
  }

  /** Writes the files in their order, each whole or not at all. Stops at the first one that cannot be written. */
  write(files: [file: string, content: FileContent][]): Promise<void> {
    const written = this.#last.then(() => this.#write(files))
    this.#last = written.catch(() => {})
    return written
  }

  async #write(files: [string, FileContent][]): Promise<void> {
    if (this.#unresponsive) throw new Error('The disk has not finished an earlier write.')
    clearTimeout(this.#idle)
    this.#thread ??= this.#start()
    const writeError = await this.#answer(this.#thread, files).catch((error) => {
      this.#end()
      throw error
    })
    this.#idle = setTimeout(() => this.#end(), this.#idleMs).unref()
    if (writeError) throw Object.assign(new Error(writeError.message), writeError)
  }

  async #answer(thread: Worker, files: [string, FileContent][]): Promise<WriteError | null> {
    const { promise, resolve, reject } = Promise.withResolvers<WriteError | null>()
    const fail = (reason: string) => () => reject(new Error(reason))
    const late = () => {
      this.#unresponsive = thread
      reject(new Error(`The disk has not written the files within ${this.#writeMs} ms.`))
    }
    const timer = setTimeout(late, this.#writeMs)
    const ended = fail('The thread that writes files has ended.')
    thread.ref()
    thread.once('message', resolve).once('error', reject).once('exit', ended)
    try {
      thread.postMessage(files)
      return await promise
    } finally {
      clearTimeout(timer)
      thread.off('message', resolve).off('error', reject).off('exit', ended)
      thread.unref()
    }
  }

  /** The next write starts another thread: this one takes a moment to end. */
  #end(): void {
    void this.#thread?.terminate()
    this.#thread = undefined
  }

  #start(): Worker {
    const thread = new Worker(new URL('./writing-thread.ts', import.meta.url), {
      env: {},
      workerData: { unfinished: this.#unfinished },
      // Not those of the process, which may not suit a file.
      execArgv: ['--disable-warning=ExperimentalWarning'],
      resourceLimits: { maxOldGenerationSizeMb: 64 },
    })
    // The write that waits for it fails.
    thread.on('error', () => {})
    thread.on('exit', () => {
      if (this.#thread === thread) this.#thread = undefined
      if (this.#unresponsive === thread) this.#unresponsive = undefined
    })
    return thread
  }
}
