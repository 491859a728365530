import { useMediaQuery } from '@mantine/hooks'
import { startTransition, useEffect, useState } from 'react'
import { afterPaint } from '#web/browser/after-paint.ts'

/** A phone lays them out in one of its slow frames. */
const CARDS_AT_ONCE = 4

/**
 * How many of the board's cards to show, from its first column on. On a phone, which shows few of them, the others follow
 * a few per frame, so that no single frame lays out the whole board.
 */
export function useCardCount(cards: number): number {
  const isNarrow = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false })
  const [count, setCount] = useState(isNarrow ? CARDS_AT_ONCE : Number.POSITIVE_INFINITY)
  useEffect(() => {
    if (count >= cards) return
    const next = count + CARDS_AT_ONCE
    // Cards that arrive later, from more of a column or from others, are shown at once.
    return afterPaint(() => startTransition(() => setCount(next < cards ? next : Number.POSITIVE_INFINITY)))
  }, [count, cards])
  return count
}
