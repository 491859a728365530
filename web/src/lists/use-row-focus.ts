import { type RefObject, useEffect, useRef } from 'react'
import { focusQuietly, isFocusFree } from '#web/browser/focus.ts'
import { listPosition } from './list-position.ts'

interface RowFocusOptions {
  /** Its address. */
  list: string
  rows: readonly { id: string }[]
  isStale: boolean
  region: RefObject<HTMLElement | null>
  /** Whether the list has the focus on arrival. */
  isHere: boolean
}

/** Rows far down are rendered within this many frames. */
const MAX_FRAMES = 120

/** The row that gets the focus: the one that last had it, the first, that of a record, or none until that is known. */
type Expected = 'current' | 'first' | 'none' | { id: string }

/** Keeps the focus in the list when its rows are replaced, and finds the rows for the keys. */
export function useRowFocus({ list, rows, isStale, region, isHere }: RowFocusOptions) {
  const expected = useRef<Expected | null>(isHere ? 'current' : null)
  const isInside = useRef(false)
  const lastIndex = useRef(0)
  const frame = useRef(0)

  // Code that waits for a response needs the rows at that time.
  const shown = useRef({ rows, isStale })
  shown.current = { rows, isStale }

  const currentIndex = () => shown.current.rows.findIndex(({ id }) => id === listPosition.current(list))
  const on = (index: number, frames = MAX_FRAMES) => {
    cancelAnimationFrame(frame.current)
    const id = shown.current.rows[index]?.id
    if (id === undefined) return
    const link = linkOf(region.current, id)
    if (link) focusOn(link)
    else if (frames > 0) frame.current = requestAnimationFrame(() => on(index, frames - 1))
  }
  const settle = () => {
    const { rows, isStale } = shown.current
    const wanted = expected.current
    if (isStale || rows.length === 0 || wanted === 'none') return
    const id = isOne(wanted) ? wanted.id : listPosition.current(list)
    const kept = rows.findIndex((row) => row.id === id)
    // The page before it may still be on screen.
    if (isOne(wanted) && kept < 0) return
    expected.current = null
    // A row that leaves the list may keep the focus until the rest of the page is rendered.
    const isLeft = (isOne(wanted) || kept < 0) && region.current?.contains(document.activeElement)
    if (wanted === 'first') on(0)
    else if ((isFocusFree() || isLeft) && (wanted || isInside.current))
      on(kept >= 0 ? kept : wanted ? 0 : Math.min(lastIndex.current, rows.length - 1))
  }

  useEffect(() => {
    const trackFocus = ({ target }: FocusEvent) => {
      const id = region.current?.contains(target as Node) ? recordOf(target as Element) : undefined
      isInside.current = id !== undefined
      if (id === undefined) return
      listPosition.moveTo(id, list)
      lastIndex.current = rows.findIndex((row) => row.id === id)
    }
    document.addEventListener('focusin', trackFocus)
    return () => document.removeEventListener('focusin', trackFocus)
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: only new rows can lose the focus
  useEffect(settle, [rows, isStale])
  useEffect(() => () => cancelAnimationFrame(frame.current), [])

  return {
    on: (index: number) => {
      expected.current = null
      on(index)
    },
    /** The row that has the focus, or -1. */
    index: () => {
      const id = region.current?.contains(document.activeElement) && recordOf(document.activeElement)
      return rows.findIndex((row) => row.id === id)
    },
    /** The row that has or last had the focus, or -1. */
    currentIndex,
    /** Which row gets the focus when the next rows arrive. */
    expect: (row: 'first' | 'none') => {
      expected.current = row
    },
    /** Ends the wait for a row. Without one, the focus stays where it was in the list. */
    found: (id: string | undefined) => {
      expected.current = id === undefined ? null : { id }
      isInside.current = true
      settle()
    },
    /** Whether the focus still waits for a row of another page. */
    isWaiting: () => expected.current === 'none' || isOne(expected.current),
    select: () => {
      const id = listPosition.current(list)
      const link = id === null ? null : linkOf(region.current, id)
      link?.closest('tr, li')?.querySelector<HTMLElement>('input[data-select]')?.click()
    },
  }
}

const isOne = (wanted: Expected | null): wanted is { id: string } =>
  wanted !== null && typeof wanted === 'object'

const recordOf = (element: Element | null): string | undefined =>
  element?.closest('tr, li')?.querySelector<HTMLElement>('a[data-record]')?.dataset.record

const linkOf = (region: HTMLElement | null, id: string): HTMLElement | null =>
  region?.querySelector<HTMLElement>(`a[data-record="${CSS.escape(id)}"]`) ?? null

const focusOn = (link: HTMLElement): void => {
  focusQuietly(link)
  link.closest('tr, li')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}
