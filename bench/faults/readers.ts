import type { ChildProcess } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Running } from '../processes.ts'

const INTERVAL_MS = 50
const TIMEOUT_MS = 30_000

export interface ReaderFigures {
  requests: number
  failures: number
  /** In milliseconds. */
  p99: number
  /** In MB. */
  peakMemory: number
}

/** Reads the newest companies, 20 times per second, until the work has ended. */
export async function readDuring(target: Running, work: Promise<unknown>): Promise<ReaderFigures> {
  const times: number[] = []
  let failures = 0
  const requests: Promise<void>[] = []
  const ask = async (): Promise<void> => {
    const start = performance.now()
    const headers = { 'x-user-email': 'reader@example.com' }
    try {
      const answer = await fetch(`${target.url}/api/companies`, {
        headers,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      await answer.arrayBuffer()
      if (answer.status !== 200) failures += 1
    } catch {
      failures += 1
    }
    times.push(performance.now() - start)
  }
  await resetPeakMemory(target.child)
  let isOver = false
  const over = work.finally(() => {
    isOver = true
  })
  over.catch(() => {})
  // On a fixed schedule, so that a slow answer does not spare the service the next request.
  for (let next = performance.now(); !isOver; next += INTERVAL_MS) {
    requests.push(ask())
    await sleep(Math.max(0, next + INTERVAL_MS - performance.now()))
  }
  await Promise.all(requests)
  times.sort((a, b) => a - b)
  const p99 = times[Math.min(times.length - 1, Math.floor(times.length * 0.99))] ?? Number.NaN
  return { requests: times.length, failures, p99, peakMemory: await peakMemoryOf(target.child) }
}

/** Linux forgets the highest resident set when 5 is written there. */
const resetPeakMemory = ({ pid }: ChildProcess) => writeFile(`/proc/${pid}/clear_refs`, '5').catch(() => {})

/** The most memory that the process has held (resident set), in MB. */
async function peakMemoryOf({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024
}
