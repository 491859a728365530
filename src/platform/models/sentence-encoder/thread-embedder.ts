import { Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import type { Embedder, Embedding, EmbedOptions } from '#src/platform/models/embedder.ts'
import { EndpointFailure, EndpointTimeout } from '#src/platform/models/endpoint-faults.ts'

/** A text to embed. */
export type ToThread = string
/** Its vector, the reason why it has none, or why the model could not be loaded. */
export type FromThread = Embedding | { fault: string }

const THREAD = new URL('./thread.ts', import.meta.url)
/** The model reads the beginning of a longer text. */
const MAX_TEXT_LENGTH = 330
const MAX_HEAP_MB = 512
/** A model that cannot be loaded is tried again after this time. */
const LOAD_RETRY_MS = 60_000
/** A thread that has crashed is started again after this time. */
const CRASH_RETRY_MS = 500
const IDLE_MS = 600_000

interface Task {
  text: string
  resolve: (embedding: Embedding) => void
  reject: (error: Error) => void
}

interface ThreadOptions {
  log: Logger
  /** The module that runs in the thread. */
  module?: URL
  /** The folder of the model; by default that of its package. */
  folder?: string
  maxHeapMb?: number
  /** The thread ends, and its memory is freed, after this time without work. */
  idleMs?: number
}

/**
 * Embeds with the built-in model in a thread of its own, which starts on first use. Embeds one text at a time, and
 * urgent ones first, so that a question does not wait for a batch.
 */
export function createThreadEmbedder(options: ThreadOptions): Required<Embedder> {
  const thread = new ModelThread(options)
  return {
    embed: (_model, texts, embedOptions) =>
      Promise.all(texts.map((text) => thread.embed(cut(text), embedOptions))),
    fault: () => thread.fault,
    close: () => thread.close(),
  }
}

const cut = (text: string): string => text.slice(0, MAX_TEXT_LENGTH).toWellFormed()

class ModelThread {
  readonly #log: Logger
  readonly #options: ThreadOptions
  readonly #waiting = { urgent: [] as Task[], other: [] as Task[] }
  #worker: Worker | undefined
  #current: Task | undefined
  #idleTimer: NodeJS.Timeout | undefined
  /** Why the model failed last, and until when it is not tried again. */
  #fault: { message: string; until: number } | undefined
  #isClosed = false

  constructor(options: ThreadOptions) {
    this.#log = options.log
    this.#options = options
  }

  embed(text: string, { isUrgent = false, milliseconds, stopped }: EmbedOptions): Promise<Embedding> {
    if (this.#isClosed) return Promise.reject(new EndpointFailure('The service is stopping.'))
    if (this.#fault && this.#fault.until > Date.now())
      return Promise.reject(new EndpointFailure(this.#fault.message))
    const timeout = AbortSignal.timeout(milliseconds)
    const signal = stopped ? AbortSignal.any([timeout, stopped]) : timeout
    return new Promise((resolve, reject) => {
      const queue = isUrgent ? this.#waiting.urgent : this.#waiting.other
      const abort = () => {
        const place = queue.indexOf(task)
        if (place >= 0) queue.splice(place, 1)
        task.reject(timeout.aborted ? new EndpointTimeout(TOO_SLOW) : (signal.reason as Error))
        if (timeout.aborted && this.#current === task) this.#fail(TOO_SLOW, CRASH_RETRY_MS)
      }
      const settle =
        <T>(done: (result: T) => void) =>
        (result: T) => {
          signal.removeEventListener('abort', abort)
          done(result)
        }
      const task = { text, resolve: settle(resolve), reject: settle(reject) }
      if (signal.aborted) return abort()
      signal.addEventListener('abort', abort, { once: true })
      queue.push(task)
      this.#next()
    })
  }

  get fault(): string | null {
    return this.#fault?.message ?? null
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#end('The service is stopping.')
  }

  #next(): void {
    if (this.#current) return
    this.#current = this.#waiting.urgent.shift() ?? this.#waiting.other.shift()
    clearTimeout(this.#idleTimer)
    if (!this.#current) {
      const { idleMs = IDLE_MS } = this.#options
      this.#worker?.unref()
      this.#idleTimer = setTimeout(() => void this.#end('The model was unloaded.'), idleMs).unref()
      return
    }
    this.#worker ??= this.#start()
    this.#worker.ref()
    this.#worker.postMessage(this.#current.text satisfies ToThread)
  }

  #start(): Worker {
    // Its output is discarded: the libraries print advice, and stdout is the service's log.
    const { module = THREAD, folder, maxHeapMb = MAX_HEAP_MB } = this.#options
    const worker = new Worker(module, {
      workerData: { folder },
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
    })
    worker.stdout.resume()
    worker.stderr.resume()
    worker.on('message', (message: FromThread) => this.#receive(message))
    let reason = 'it exited'
    worker.on('error', ({ message }: Error) => {
      reason = message
    })
    worker.on('exit', () => {
      if (this.#worker === worker)
        this.#fail(`The embedding model stopped (${reason}). It restarts automatically.`, CRASH_RETRY_MS)
    })
    return worker
  }

  /** Rejects all tasks, and new ones for some time. Logs the same fault once until the model answers again. */
  #fail(message: string, milliseconds: number): void {
    if (this.#fault?.message !== message)
      this.#log.warn(`Searches are answered by words alone for now. ${message}`)
    this.#fault = { message, until: Date.now() + milliseconds }
    void this.#end(message)
  }

  #receive(message: FromThread): void {
    const task = this.#current
    if ('fault' in message) {
      this.#fail(message.fault, LOAD_RETRY_MS)
      return
    }
    this.#fault = undefined
    this.#current = undefined
    task?.resolve(message)
    this.#next()
  }

  /** Ends the thread and rejects all tasks. The next task starts another one. */
  async #end(reason: string): Promise<void> {
    clearTimeout(this.#idleTimer)
    const worker = this.#worker
    const { urgent, other } = this.#waiting
    const tasks = [this.#current, ...urgent.splice(0), ...other.splice(0)]
    this.#worker = undefined
    this.#current = undefined
    for (const task of tasks) task?.reject(new EndpointFailure(reason))
    await worker?.terminate()
  }
}

const TOO_SLOW = 'The embedding model did not answer in time. It restarts automatically.'
