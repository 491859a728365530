import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react'

/**
 * Which children of a wrapping row do not fit into its first line.
 * @param keys of the children, in their order
 */
export function useOverflow<T extends HTMLElement>(
  keys: readonly string[],
): { ref: RefObject<T | null>; isHidden: (index: number) => boolean; hiddenCount: number } {
  const ref = useRef<T>(null)
  const [visible, setVisible] = useState(keys.length)
  const measure = useCallback(() => {
    const children = [...(ref.current?.children ?? [])] as HTMLElement[]
    const line = children[0]?.offsetTop
    const wrapped = children.findIndex(({ offsetTop }) => offsetTop !== line)
    setVisible(wrapped < 0 ? children.length : wrapped)
  }, [])
  // An observer reads the existing layout. Reading it in a layout effect would lay out the whole screen once more for
  // each render.
  const order = keys.join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new order needs another look at the same children
  useLayoutEffect(() => {
    if (!ref.current) return
    const observer = new ResizeObserver(measure)
    for (const element of [ref.current, ...ref.current.children]) observer.observe(element)
    return () => observer.disconnect()
  }, [order, measure])
  return { ref, isHidden: (index) => index >= visible, hiddenCount: Math.max(0, keys.length - visible) }
}
