import { Worker } from 'node:worker_threads'
import type { ConvertIcon } from './fetch-icon.ts'

const CONVERSION_TIMEOUT_MS = 10_000
const MAX_HEAP_MB = 64

/**
 * Returns a function that converts icons, one at a time, each in a thread of its own: the decoder is WebAssembly, a
 * malformed image may leave it in a broken state, and a hostile one may keep it busy.
 */
export function createConverter(timeoutMs = CONVERSION_TIMEOUT_MS): ConvertIcon {
  let last: Promise<unknown> = Promise.resolve()
  return (bytes, signal) => {
    const converted = last.then(() => convertInThread(bytes, signal, timeoutMs))
    last = converted.catch(() => {})
    return untilAborted(converted, signal)
  }
}

/** Waits no longer than the signal allows, not even for the conversions before. */
function untilAborted<T>(result: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const abort = () => reject(signal.reason)
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  result.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  return promise
}

function convertInThread(bytes: Buffer, signal: AbortSignal, timeoutMs: number): Promise<Buffer | null> {
  signal.throwIfAborted()
  const { promise, resolve } = Promise.withResolvers<Buffer | null>()
  const thread = new Worker(new URL('./convert-thread.ts', import.meta.url), {
    workerData: new Uint8Array(bytes),
    env: {},
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  })
  thread.stdout.resume()
  thread.stderr.resume()
  const stop = () => void thread.terminate()
  const timer = setTimeout(stop, timeoutMs)
  signal.addEventListener('abort', stop, { once: true })
  thread.on('message', (png: Uint8Array) => resolve(Buffer.from(png)))
  // An image that cannot be decoded makes the thread emit 'error'.
  thread.on('error', () => {})
  thread.on('exit', () => {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
    resolve(null)
  })
  return promise
}
