import { useMediaQuery } from '@mantine/hooks'
import { startTransition, useEffect, useState } from 'react'
import { afterPaint } from '#web/browser/after-paint.ts'

/** In each column: about as many as a slow phone lays out in one frame. */
const CARDS_AT_ONCE = 2

/** Whether this page has shown a whole board. A later one has its data, and returns to where it was scrolled to. */
let wasFilled = false

/**
 * How many cards each column shows. On a phone, the first board begins with a few and adds more after each frame, so that
 * none lays out the whole board.
 * @param longest the number of cards in the longest column
 */
export function useCardCount(longest: number): number {
  const isNarrow = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false })
  const [count, setCount] = useState(isNarrow && !wasFilled ? CARDS_AT_ONCE : Number.POSITIVE_INFINITY)
  useEffect(() => {
    if (count === Number.POSITIVE_INFINITY) {
      wasFilled = true
      return
    }
    const next = count + CARDS_AT_ONCE
    return afterPaint(() => startTransition(() => setCount(next < longest ? next : Number.POSITIVE_INFINITY)))
  }, [count, longest])
  return count
}
