import { type RefObject, useEffect, useRef } from 'react'
import { isFocusFree } from '#web/browser/focus.ts'
import { listPosition } from './list-position.ts'

interface RowFocusOptions {
  rows: readonly { id: string }[]
  isStale: boolean
  region: RefObject<HTMLElement | null>
  /** Whether the list has the focus on arrival. */
  isHere: boolean
}

/** Rows far down are rendered within this many frames. */
const MAX_FRAMES = 60

type Expected = 'current' | 'first' | 'last'

/** Keeps the focus in the list when its rows are replaced, and finds the rows for the keys. */
export function useRowFocus({ rows, isStale, region, isHere }: RowFocusOptions) {
  const expected = useRef<Expected | null>(isHere ? 'current' : null)
  const isInside = useRef(false)
  const lastIndex = useRef(0)
  const frame = useRef(0)

  const currentIndex = () => rows.findIndex(({ id }) => id === listPosition.current())
  const on = (index: number, frames = MAX_FRAMES) => {
    cancelAnimationFrame(frame.current)
    const id = rows[index]?.id
    if (id === undefined) return
    const link = linkOf(region.current, id)
    if (link) focusOn(link)
    else if (frames > 0) frame.current = requestAnimationFrame(() => on(index, frames - 1))
  }

  useEffect(() => {
    const note = ({ target }: FocusEvent) => {
      const id = region.current?.contains(target as Node) ? companyOf(target as Element) : undefined
      isInside.current = id !== undefined
      if (id === undefined) return
      listPosition.moveTo(id)
      lastIndex.current = rows.findIndex((row) => row.id === id)
    }
    document.addEventListener('focusin', note)
    return () => document.removeEventListener('focusin', note)
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: only new rows can lose the focus
  useEffect(() => {
    if (isStale || rows.length === 0) return
    const wanted = expected.current
    expected.current = null
    if (wanted === 'first' || wanted === 'last') on(wanted === 'first' ? 0 : rows.length - 1)
    else if (isFocusFree() && (wanted || isInside.current)) {
      const kept = currentIndex()
      on(kept >= 0 ? kept : wanted ? 0 : Math.min(lastIndex.current, rows.length - 1))
    }
  }, [rows, isStale])
  useEffect(() => () => cancelAnimationFrame(frame.current), [])

  return {
    on: (index: number) => on(index),
    /** The row that has the focus, or -1. */
    index: () => {
      const id = region.current?.contains(document.activeElement) && companyOf(document.activeElement)
      return rows.findIndex((row) => row.id === id)
    },
    /** The row that has or last had the focus, or -1. */
    currentIndex,
    /** Which row gets the focus when the next rows arrive. */
    expect: (row: Expected) => {
      expected.current = row
    },
    select: () => {
      const id = listPosition.current()
      const link = id === null ? null : linkOf(region.current, id)
      link?.closest('tr, li')?.querySelector<HTMLElement>('input[data-select]')?.click()
    },
  }
}

const companyOf = (element: Element | null): string | undefined =>
  element?.closest('tr, li')?.querySelector<HTMLElement>('a[data-company]')?.dataset.company

const linkOf = (region: HTMLElement | null, id: string): HTMLElement | null =>
  region?.querySelector<HTMLElement>(`a[data-company="${CSS.escape(id)}"]`) ?? null

const focusOn = (link: HTMLElement): void => {
  link.focus({ preventScroll: true })
  link.closest('tr, li')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}
