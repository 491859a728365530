import { startTransition, useEffect, useState } from 'react'
import { afterPaint } from '#web/browser/after-paint.ts'

/** In each column: what a laptop renders within a tenth of a second of a click. */
const FIRST_CARDS = 1
/** In each column: about as many as a slow phone lays out in one frame. */
const MORE_CARDS = 2

/**
 * How many cards each column shows. A board begins with a few and adds more after each frame, so that it appears at once
 * and no frame lays out all of it.
 * @param longest the number of cards in the longest column
 */
export function useCardCount(longest: number): number {
  const [count, setCount] = useState(FIRST_CARDS)
  useEffect(() => {
    if (count === Number.POSITIVE_INFINITY) return
    const next = count + MORE_CARDS
    return afterPaint(() => startTransition(() => setCount(next < longest ? next : Number.POSITIVE_INFINITY)))
  }, [count, longest])
  return count
}
