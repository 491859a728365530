import { startTransition, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { afterPaint } from './after-paint.ts'
import { usePrinting } from './printing.ts'

interface Growth {
  /** Rendered together with the rest of the screen. */
  first: number
  /** Added after the first frame. Each later one adds as many as there are, but at least these. */
  step: number
}

/**
 * How many items of a long list to render. The list begins with a few and adds more after each frame, so that the screen
 * appears at once and no frame lays out all of it. A key completes it, since it may be for an item further down. Once
 * complete, it shows later items at once.
 * @param total the number of items
 * @returns the number of items, or infinity for all
 */
export function useGrowingCount(total: number, { first, step }: Growth): number {
  const [count, setCount] = useState(first)
  const isPrinting = usePrinting()
  useEffect(() => {
    if (count === Number.POSITIVE_INFINITY) return
    const next = count + Math.max(step, count)
    const grow = () => startTransition(() => setCount(next < total ? next : Number.POSITIVE_INFINITY))
    // A tab in the background has no frames.
    if (document.hidden) return grow()
    return afterPaint(grow)
  }, [count, total, step])
  const isComplete = count === Number.POSITIVE_INFINITY
  useEffect(() => {
    if (isComplete) return
    // Before the listeners of keys, which look for the item.
    const complete = () => flushSync(() => setCount(Number.POSITIVE_INFINITY))
    addEventListener('keydown', complete, true)
    return () => removeEventListener('keydown', complete, true)
  }, [isComplete])
  return isPrinting ? Number.POSITIVE_INFINITY : count
}
