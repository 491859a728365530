import { writeSync } from 'node:fs'
import { workerData } from 'node:worker_threads'

const TICK_MS = 1000
const OUTPUTS = [1, 2]

const { heartbeats, seconds } = workerData as { heartbeats: Int32Array; seconds: number }
let last = 0
/** Counted in ticks of this thread: a clock would also run while the machine sleeps. */
let silentTicks = 0

setInterval(() => {
  const now = Atomics.load(heartbeats, 0)
  silentTicks = now === last ? silentTicks + 1 : 0
  last = now
  if (silentTicks * TICK_MS < seconds * 1000) return
  log(
    `The event loop has not responded for ${seconds} seconds: the process ends. WATCHDOG_SECONDS sets this limit.`,
  )
  process.kill(process.pid, 'SIGKILL')
}, TICK_MS)

/** Synchronously, because the main thread cannot write. Standard output may be a pipe that is full. */
function log(msg: string): void {
  const line = `${JSON.stringify({ level: 60, time: new Date().toISOString(), msg })}\n`
  for (const output of OUTPUTS)
    try {
      writeSync(output, line)
      return
    } catch {}
}
