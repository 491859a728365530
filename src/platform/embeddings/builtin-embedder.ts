import { Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import { EndpointFailure, EndpointTimeout } from '#src/platform/model-endpoint/endpoint-errors.ts'
import { cut, type Embedding } from './embedding-batches.ts'
import type { Embedder, EmbedOptions } from './endpoint-embedder.ts'

/** A text to embed. */
export type ToThread = string
/** Its vector, the reason why it has none, or why the model could not be loaded. */
export type FromThread = Embedding | { fault: string }

export interface ThreadData {
  /** The folder of the model; by default that of its package. */
  folder: string | undefined
}

/** A name and 300 characters of the description: the model gets slower with the length, and not better. */
const MAX_TEXT_LENGTH = 330
const THREAD = new URL('./sentence-encoder/thread.ts', import.meta.url)
const MAX_HEAP_MB = 512
/** A model that cannot be loaded is tried again after this time. */
const LOAD_RETRY_MS = 60_000
/** A thread that has crashed is started again after this time. */
const CRASH_RETRY_MS = 500
const IDLE_MS = 300_000

/** The model cannot be used now. The log has the reason. */
class ModelFailure extends EndpointFailure {
  readonly isLogged = true
}

interface Task {
  text: string
  resolve: (embedding: Embedding) => void
  reject: (error: Error) => void
}

/** What tests replace. */
interface ThreadOptions extends Partial<ThreadData> {
  /** The module that runs in the thread. */
  module?: URL
  maxHeapMb?: number
  /** The thread ends, and its memory is freed, after this time without work. */
  idleMs?: number
}

/**
 * Embeds with the built-in model in a thread of its own, which starts on first use. Embeds one text at a time, and urgent
 * ones first, so that a question does not wait for a batch.
 */
export function openBuiltinEmbedder(log: Logger, options: ThreadOptions = {}): Required<Embedder> {
  const thread = new ModelThread(log, options)
  return {
    embed: async (_model, texts, embedOptions) => {
      const found = await Promise.all(
        texts.map((text) => thread.embed(cut(text, MAX_TEXT_LENGTH), embedOptions)),
      )
      thread.answered()
      return found
    },
    fault: () => thread.fault,
    close: () => thread.close(),
  }
}

class ModelThread {
  readonly #log: Logger
  readonly #options: ThreadOptions
  readonly #waiting = { urgent: [] as Task[], other: [] as Task[] }
  #worker: Worker | undefined
  #current: Task | undefined
  #idleTimer: NodeJS.Timeout | undefined
  /** Why the model failed last, and until when it is not tried again. */
  #fault: { message: string; until: number } | undefined
  /** The error that was logged last, until the model works again. */
  #logged: string | undefined
  #isClosed = false

  constructor(log: Logger, options: ThreadOptions) {
    this.#log = log
    this.#options = options
  }

  embed(text: string, { isUrgent = false, milliseconds, stopped }: EmbedOptions): Promise<Embedding> {
    if (this.#isClosed) return Promise.reject(new EndpointFailure('The service is stopping.'))
    if (this.#fault && this.#fault.until > Date.now())
      return Promise.reject(new ModelFailure(this.#fault.message))
    const timeout = AbortSignal.timeout(milliseconds)
    const signal = stopped ? AbortSignal.any([timeout, stopped]) : timeout
    return new Promise((resolve, reject) => {
      const queue = isUrgent ? this.#waiting.urgent : this.#waiting.other
      const abort = () => {
        const position = queue.indexOf(task)
        if (position >= 0) queue.splice(position, 1)
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

  /** The model has embedded all texts of a call. */
  answered(): void {
    this.#logged = undefined
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
    // Its output, such as warnings of Node.js, is discarded: stdout is the service's log.
    const { module = THREAD, folder, maxHeapMb = MAX_HEAP_MB } = this.#options
    const worker = new Worker(module, {
      workerData: { folder } satisfies ThreadData,
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

  /** Rejects all tasks, and new ones for some time. Logs the same error once until the model works again. */
  #fail(message: string, milliseconds: number): void {
    if (this.#logged !== message) this.#log.warn(`Searches are answered by words alone for now. ${message}`)
    this.#logged = message
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
    for (const task of tasks) task?.reject(new ModelFailure(reason))
    await worker?.terminate()
  }
}

const TOO_SLOW = 'The embedding model did not answer in time. It restarts automatically.'
