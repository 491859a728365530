import { startTransition, useEffect, useState } from 'react'
import { afterPaint } from './after-paint.ts'

interface Growth {
  /** What a laptop renders within a tenth of a second of a click. */
  first: number
  /** What a slow phone lays out in one frame. */
  step: number
}

/**
 * How many items of a long list to render. The list begins with a few and adds more after each frame, so that it appears
 * at once and no frame lays out all of it. Once complete, it shows later items at once.
 * @param total the number of items
 */
export function useGrowingCount(total: number, { first, step }: Growth): number {
  const [count, setCount] = useState(first)
  useEffect(() => {
    if (count === Number.POSITIVE_INFINITY) return
    const next = count + step
    return afterPaint(() => startTransition(() => setCount(next < total ? next : Number.POSITIVE_INFINITY)))
  }, [count, total, step])
  return count
}
