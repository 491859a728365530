import { useEffect, useState } from 'react'
import type { BulkAction } from '#web/api/service.ts'

/** The number of finished companies at a point in time. */
interface Sample {
  at: number
  done: number
}

const WINDOW_MS = 60_000
const MIN_SAMPLE_MS = 4000

/** Companies per minute, measured over the last minute. Null until enough is known. */
export function useRate(action: BulkAction, now: number): number | null {
  const done = action.processed_companies + action.failed_companies
  const [samples, setSamples] = useState<Sample[]>(() => [{ at: Date.now(), done }])
  useEffect(() => {
    const at = Date.now()
    setSamples((previous) => {
      // Fewer than before: failed companies are being retried.
      if ((previous.at(-1)?.done ?? 0) > done) return [{ at, done }]
      return [...previous.filter((sample) => sample.at > at - WINDOW_MS), { at, done }]
    })
  }, [done])
  return rateOf(samples, done, now)
}

/** @returns companies per minute */
function rateOf(samples: Sample[], done: number, now: number): number | null {
  const first = samples[0]
  if (!first) return null
  const elapsed = now - first.at
  if (elapsed < MIN_SAMPLE_MS || done <= first.done) return null
  return ((done - first.done) / elapsed) * 60_000
}
