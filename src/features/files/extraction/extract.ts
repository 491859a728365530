import { Worker } from 'node:worker_threads'
import type { Task } from './extract-thread.ts'
import { TIMEOUT_MS } from './limits.ts'
import type { Extraction } from './types.ts'

const MB = 1024 * 1024
const MAX_HEAP_MB = 256
/** Beside the heap: files of up to 100 MB, and what is decoded of them. */
const MAX_BUFFERS_BYTES = 320 * MB
const MEMORY_CHECK_INTERVAL_MS = 50

const EMPTY = { pages: null, texts: [], details: null }
const TOO_LARGE: Extraction = {
  ...EMPTY,
  text_state: 'unreadable',
  text_detail: 'Reading it needs more memory than is allowed.',
}
const TIMED_OUT: Extraction = {
  ...EMPTY,
  text_state: 'timed_out',
  text_detail: `Reading it takes longer than ${TIMEOUT_MS / 1000} seconds.`,
}

/** A thread ended for no known reason, maybe because of the file. */
export class ThreadFailed extends Error {}

/** A thread was ended by its limits. */
class ThreadEnded extends Error {
  readonly reason: 'memory' | 'time'

  constructor(reason: ThreadEnded['reason']) {
    super(`The thread that reads a file was ended: ${reason}.`)
    this.reason = reason
  }
}

/**
 * Reads the text of a file in a thread with limits on its time and memory. Whatever the file is, nothing in it runs, and
 * nothing is fetched.
 * @param type its media type, from its content
 * @throws ThreadFailed if its thread ends for no known reason; the reason of the signal
 */
export async function extractText(
  { path, type }: { path: string; type: string },
  { signal, timeoutMs = TIMEOUT_MS }: { signal?: AbortSignal; timeoutMs?: number } = {},
): Promise<Extraction> {
  try {
    return await inTurn(() => runThread<Extraction>({ path, type }, timeoutMs, signal))
  } catch (error) {
    if (!(error instanceof ThreadEnded)) throw error
    return error.reason === 'memory' ? TOO_LARGE : TIMED_OUT
  }
}

/**
 * Reads an attachment of an email, in the same kind of thread. Call it in turn.
 * @param index its place in the list of attachments
 * @returns null if the email has none at this place, or cannot be read
 * @throws ThreadFailed if its thread ends for no known reason; the reason of the signal
 */
export async function extractAttachment(
  email: { path: string; type: string },
  index: number,
  signal?: AbortSignal,
): Promise<Buffer | null> {
  try {
    const task = { ...email, attachment: index }
    const content = await runThread<Uint8Array | null>(task, TIMEOUT_MS, signal)
    return content && Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  } catch (error) {
    if (error instanceof ThreadEnded) return null
    throw error
  }
}

let last: Promise<unknown> = Promise.resolve()

/** One thread at a time: each may take hundreds of megabytes. */
export function inTurn<T>(run: () => Promise<T>): Promise<T> {
  const result = last.then(run)
  last = result.catch(() => {})
  return result
}

function runThread<T>(task: Task, timeoutMs: number, signal?: AbortSignal): Promise<T> {
  signal?.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const thread = new Worker(new URL('./extract-thread.ts', import.meta.url), {
    workerData: task,
    env: {},
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  })
  thread.stdout.resume()
  thread.stderr.resume()
  const end = (error: unknown) => {
    reject(error)
    void thread.terminate()
  }
  const abort = () => end(signal?.reason)
  const timer = setTimeout(() => end(new ThreadEnded('time')), timeoutMs)
  const stopWatching = watchBuffers(thread, () => end(new ThreadEnded('memory')))
  signal?.addEventListener('abort', abort, { once: true })
  thread.on('message', resolve)
  thread.on('error', (error: NodeJS.ErrnoException) =>
    reject(
      error.code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? new ThreadEnded('memory')
        : new ThreadFailed('The thread that reads a file failed.', { cause: error }),
    ),
  )
  thread.on('exit', (code) => {
    clearTimeout(timer)
    stopWatching()
    signal?.removeEventListener('abort', abort)
    reject(new ThreadFailed(`The thread that reads a file ended with code ${code}.`))
  })
  return promise
}

/** The limits of a thread do not include its buffers. Also a thread that is busy answers. */
function watchBuffers(thread: Worker, onExceeded: () => void): () => void {
  const check = async () => {
    const { external_memory } = await thread.getHeapStatistics()
    if (external_memory > MAX_BUFFERS_BYTES) onExceeded()
  }
  // A thread that has ended answers with an error.
  const timer = setInterval(() => void check().catch(() => {}), MEMORY_CHECK_INTERVAL_MS)
  return () => clearInterval(timer)
}
