import { Worker } from 'node:worker_threads'
import type { Logger } from 'pino'

const HEARTBEAT_MS = 500

/**
 * Ends the process when its event loop has been silent for this long: a supervisor then starts it again. A thread of
 * its own watches, because a call that never returns leaves the event loop no turn to notice.
 * @param seconds 0: never
 * @returns stops watching
 */
export function startWatchdog(seconds: number, log: Pick<Logger, 'error'>): () => Promise<void> {
  if (seconds === 0) return async () => {}
  const heartbeats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const heart = setInterval(() => Atomics.add(heartbeats, 0, 1), HEARTBEAT_MS).unref()
  const thread = new Worker(new URL('./watchdog-thread.ts', import.meta.url), {
    workerData: { heartbeats, seconds },
    env: {},
    // Not those of the process, which may not suit a file.
    execArgv: ['--disable-warning=ExperimentalWarning'],
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 },
  })
  thread.on('error', (error) =>
    log.error({ err: error }, 'the watchdog failed; nothing watches the event loop'),
  )
  thread.unref()
  return async () => {
    clearInterval(heart)
    await thread.terminate()
  }
}
