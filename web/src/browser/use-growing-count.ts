import { startTransition, useCallback, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { usePrinting } from './printing.ts'

interface Growth {
  /** The number rendered together with the rest of the screen. */
  first: number
  /** The least to add after a frame: each frame at least doubles the count. */
  step: number
}

/**
 * How many items of a long list to render. The list begins with a few and adds more after each frame, so that the screen
 * appears at once and no frame lays out all of it. Once complete, it shows later items at once.
 * @param total the number of items
 * @returns the number of items, or infinity for all, and a function that shows all before it returns
 */
export function useGrowingCount(total: number, { first, step }: Growth) {
  const [count, setCount] = useState(first)
  const isPrinting = usePrinting()
  useEffect(() => {
    if (count === Number.POSITIVE_INFINITY) return
    const next = count + Math.max(step, count)
    const grow = () => startTransition(() => setCount(next < total ? next : Number.POSITIVE_INFINITY))
    // A tab in the background has no frames.
    if (document.hidden) return grow()
    // What runs in the same frame would be laid out and painted together with what is on screen now.
    let timer: ReturnType<typeof setTimeout>
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(grow)
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [count, total, step])
  const showAll = useCallback(() => flushSync(() => setCount(Number.POSITIVE_INFINITY)), [])
  return { count: isPrinting ? Number.POSITIVE_INFINITY : count, showAll }
}
