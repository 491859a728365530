import { type RefObject, useEffect, useState } from 'react'

export interface HiddenStages {
  before: number
  after: number
}

const NONE: HiddenStages = { before: 0, after: 0 }
/** A column that shows less than this counts as hidden. */
const MIN_VISIBLE_PIXELS = 40

/**
 * Counts the columns of a board that are scrolled out of view.
 * @param columns changes with the columns
 */
export function useHiddenStages(ref: RefObject<HTMLElement | null>, columns: unknown): HiddenStages {
  const [hidden, setHidden] = useState(NONE)
  // biome-ignore lint/correctness/useExhaustiveDependencies: counts again when the columns change
  useEffect(() => {
    const scroller = ref.current
    if (!scroller) return setHidden(NONE)
    const count = () => {
      const { left, right } = scroller.getBoundingClientRect()
      const boxes = [...scroller.children].map((column) => column.getBoundingClientRect())
      const before = boxes.filter((box) => box.right < left + Math.min(MIN_VISIBLE_PIXELS, box.width)).length
      const after = boxes.filter((box) => box.left > right - Math.min(MIN_VISIBLE_PIXELS, box.width)).length
      setHidden((was) => (was.before === before && was.after === after ? was : { before, after }))
    }
    // Also counts once after the first layout.
    const sizes = new ResizeObserver(count)
    for (const element of [scroller, ...scroller.children]) sizes.observe(element)
    scroller.addEventListener('scroll', count, { passive: true })
    return () => {
      sizes.disconnect()
      scroller.removeEventListener('scroll', count)
    }
  }, [ref, columns])
  return hidden
}
