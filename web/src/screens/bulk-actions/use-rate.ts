import { useEffect, useState } from 'react'
import type { BulkAction } from '#web/service/service.ts'

/** What has been dealt with at some time. */
interface Sample {
  at: number
  done: number
}

const WINDOW_MS = 60_000
const MIN_SAMPLE_MS = 4000

/**
 * How many companies a minute an action deals with of late: over the last minute, and until it has been watched for
 * that long since it was opened. Null: not known yet.
 */
export function useRate(action: BulkAction, now: number): number | null {
  const done = action.processed_companies + action.failed_companies
  const [samples, setSamples] = useState<Sample[]>(() => [{ at: Date.now(), done }])
  useEffect(() => {
    const at = Date.now()
    setSamples((former) => {
      // Fewer than before: its failed companies are being tried again.
      if ((former.at(-1)?.done ?? 0) > done) return [{ at, done }]
      return [...former.filter((sample) => sample.at > at - WINDOW_MS), { at, done }]
    })
  }, [done])
  return rateOf(samples, done, now)
}

/** @returns companies a minute */
function rateOf(samples: Sample[], done: number, now: number): number | null {
  const first = samples[0]
  if (!first) return null
  const elapsed = now - first.at
  if (elapsed < MIN_SAMPLE_MS || done <= first.done) return null
  return ((done - first.done) / elapsed) * 60_000
}
