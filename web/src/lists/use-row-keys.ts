import { useMutation } from '@tanstack/react-query'
import { type RefObject, useEffect, useRef } from 'react'
import { strings } from '#strings/lists.ts'
import { useActions } from '#web/keyboard/actions.ts'
import { listPosition } from './list-position.ts'
import type { ListSearch } from './list-search.ts'
import { useRowFocus } from './use-row-focus.ts'

/** What the keys of a list do, in words. */
export interface RowKeyNames {
  /** The heading in the keyboard help. */
  group: string
  next: string
  previous: string
  first: string
  last: string
  open: string
  select: string
  search: string
}

interface RowKeys {
  /** The address of the list. */
  list: string
  names: RowKeyNames
  rows: readonly { id: string }[]
  /** Whether other rows are on their way. */
  isStale: boolean
  search: ListSearch
  page: number
  pages: number
  limit: number
  goTo: (page: number) => void
  /** Finds the record after the last or before the first row. */
  findBeyond: (step: 1 | -1) => Promise<{ id: string; page: number } | undefined>
  region: RefObject<HTMLElement | null>
  input: RefObject<HTMLInputElement | null>
  open: (id: string) => void
}

/**
 * The keys of a list. The position in it is the focus itself, so Enter, screen readers, and the focus ring work
 * without further code.
 * @returns functions that move the focus into the list, and from its row to the next one
 */
export function useRowKeys(options: RowKeys): { enter: () => void; advance: () => void } {
  const { list, names, rows, isStale, search, page, pages, limit, goTo, region, input, open } = options
  const isSearchWanted = useRef(listPosition.takeSearch())
  const focus = useRowFocus({ list, rows, isStale, region, isHere: !isSearchWanted.current })
  useEffect(() => {
    if (isSearchWanted.current) input.current?.focus()
  }, [input])
  useEffect(() => {
    if (isStale) return
    const ids = rows.map(({ id }) => id)
    listPosition.show({ list, ids, paging: { search, page, pages, limit } })
  }, [list, rows, isStale, search, page, pages, limit])

  const turn = (target: number) => {
    if (target < 1 || target > pages) return
    focus.expect('first')
    goTo(target)
  }
  const { mutate: findBeyond } = useMutation({ mutationFn: options.findBeyond })
  const goBeyond = (step: 1 | -1) => {
    if (focus.isWaiting()) return
    focus.expect('none')
    const go = (next?: { id: string; page: number }) => {
      if (!focus.isWaiting()) return
      focus.found(next?.id)
      if (next && next.page !== page) goTo(next.page)
    }
    findBeyond(step, { onSuccess: go, onError: () => go() })
  }
  const enter = () => focus.on(Math.max(0, focus.currentIndex()))
  const move = (step: -1 | 1, at = focus.index()) => {
    if (at < 0) enter()
    else if (at + step >= rows.length || at + step < 0) goBeyond(step)
    else focus.on(at + step)
  }
  const openFocused = () => {
    const row = rows[Math.max(0, focus.currentIndex())]
    if (row) open(row.id)
  }
  const { group } = names
  const inList = { group, within: region, isHidden: true }
  useActions([
    { id: 'next-row', label: names.next, keys: ['j', 'ArrowDown'], run: () => move(1), ...inList },
    { id: 'previous-row', label: names.previous, keys: ['k', 'ArrowUp'], run: () => move(-1), ...inList },
    { id: 'first-row', label: names.first, keys: ['Home'], run: () => focus.on(0), ...inList },
    { id: 'last-row', label: names.last, keys: ['End'], run: () => focus.on(rows.length - 1), ...inList },
    { id: 'open-row', label: names.open, keys: ['Enter'], run: openFocused, ...inList },
    { id: 'select-row', label: names.select, keys: ['x', ' '], run: focus.select, ...inList },
    {
      id: 'next-page',
      label: strings.nextPage,
      group,
      keys: ['n'],
      run: () => turn(page + 1),
      disabled: page >= pages,
    },
    {
      id: 'previous-page',
      label: strings.previousPage,
      group,
      keys: ['p'],
      run: () => turn(page - 1),
      disabled: page <= 1,
    },
    { id: 'search', label: names.search, group, keys: ['/'], run: () => input.current?.focus() },
    {
      id: 'enter-list',
      label: strings.enterList,
      group,
      keys: ['ArrowDown'],
      run: enter,
      field: input,
      isHidden: true,
    },
  ])
  return { enter, advance: () => move(1, focus.currentIndex()) }
}
