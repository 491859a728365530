import { type RefObject, useEffect, useRef } from 'react'
import { focusQuietly, isFocusFree } from '#web/browser/focus.ts'
import { listPosition } from './list-position.ts'

/** The item that has the focus, or had it until it left the list. */
interface Position {
  id: string | undefined
  index: number
}

/**
 * Finds the focused item of a list with items of any height, moves the focus, and keeps it in the list when its items are
 * replaced. Each item is an `li` with a link to its record (`data-record`).
 */
export function useItemFocus(
  list: RefObject<HTMLElement | null>,
  items: readonly { id: string }[],
  address: string,
) {
  const wanted = useRef(listPosition.current(address))
  const position = useRef<Position | null>(null)
  const links = () => [...(list.current?.querySelectorAll<HTMLElement>('a[data-record]') ?? [])]
  const indexOf = (element: Element | null) =>
    links().findIndex((link) => link.closest('li')?.contains(element))
  const on = (index: number) => {
    const link = links()[index]
    if (link) focusQuietly(link)
    link?.closest('li')?.scrollIntoView({ block: 'nearest' })
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: it reads the document only
  useEffect(() => {
    const trackFocus = ({ target }: FocusEvent) => {
      const index = indexOf(target as Element)
      position.current = index < 0 ? null : { id: links()[index]?.dataset.record, index }
    }
    document.addEventListener('focusin', trackFocus)
    return () => document.removeEventListener('focusin', trackFocus)
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only other items can lose the focus
  useEffect(() => {
    if (items.length === 0) return
    const current = position.current ?? (wanted.current && { id: wanted.current, index: -1 })
    wanted.current = null
    if (!current || !isFocusFree()) return
    const kept = items.findIndex(({ id }) => id === current.id)
    on(kept >= 0 ? kept : Math.min(current.index, items.length - 1))
  }, [items])

  return {
    index: () => indexOf(document.activeElement),
    idAt: (index: number) => links()[index]?.dataset.record,
    on,
    /** Focuses the item after one that leaves the list, or the one before it. */
    leave: (index: number) => {
      on(index + 1 < links().length ? index + 1 : index - 1)
      // If that item leaves as well, the position stays.
      if (position.current) position.current = { ...position.current, index }
    },
  }
}
