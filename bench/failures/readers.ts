import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import type { Running } from '../processes.ts'

export interface ReaderFigures {
  requests: number
  failures: number
  /** In milliseconds. */
  p99: number
  /** In MB. */
  peakMemory: number
}

/** Reads the newest companies, 20 times per second, until the work has ended. */
export async function readDuring({ url, child }: Running, work: Promise<unknown>): Promise<ReaderFigures> {
  const over = work.catch(() => {})
  await resetPeakMemory(child)
  const thread = new Worker(new URL('reader-thread.ts', import.meta.url), { workerData: { url } })
  await over
  thread.postMessage('stop')
  const [{ times, failures }] = (await once(thread, 'message')) as [{ times: number[]; failures: number }]
  times.sort((a, b) => a - b)
  const p99 = times[Math.min(times.length - 1, Math.floor(times.length * 0.99))] ?? Number.NaN
  return { requests: times.length, failures, p99, peakMemory: await peakMemoryOf(child) }
}

/** Linux forgets the highest resident set when 5 is written there. */
const resetPeakMemory = ({ pid }: ChildProcess) => writeFile(`/proc/${pid}/clear_refs`, '5').catch(() => {})

/** The most memory that the process has held (resident set), in MB. */
async function peakMemoryOf({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024
}
