import type { RefObject } from 'react'
import { strings } from '#strings/pipeline.ts'
import type { Deal } from '#web/api/service.ts'
import { type Action, useActions } from '#web/keyboard/actions.ts'
import type { AboutEntry } from '#web/notes/note-text.ts'
import { companyNameOf } from './deals.ts'
import type { DealsSelected } from './hooks/use-selection.ts'

interface BoardKeys {
  /** The element with the deals. */
  region: RefObject<HTMLElement | null>
  selected: DealsSelected
  shown: readonly Deal[]
  /** Whether deals are in columns by stage. */
  hasColumns: boolean
  mayWrite: boolean
  setMoving: (isMoving: boolean) => void
  /** Shows the deals that have not appeared yet. */
  showAll?: RefObject<(() => void) | null>
}

/**
 * The keys of the board and the list. They move the focus between deals, and select and move the focused one. Users who
 * may not move deals only move the focus.
 */
export function useBoardKeys({
  region,
  selected,
  shown,
  hasColumns,
  mayWrite,
  setMoving,
  showAll,
}: BoardKeys): void {
  // While a deal is dragged with the keyboard, the drag uses arrows and Escape.
  const unlessDragging = (act: (board: HTMLElement) => void) => () => {
    const board = region.current
    if (board && !board.querySelector('[data-dragging]')) act(board)
  }
  const step = (columns: number, cards: number) =>
    unlessDragging((board) => {
      showAll?.current?.()
      nextCard(board, columns, cards)?.focus()
    })
  const toggle = (board: HTMLElement) => {
    const id = focusedCard(board)?.dataset.deal
    const deal = shown.find((one) => one.id === id)
    if (deal) selected.toggle(deal)
    return deal !== undefined
  }
  const chooseStage = (board: HTMLElement) => {
    if (selected.deals.length > 0 || toggle(board)) setMoving(true)
  }
  const group = strings.title
  const here = { group, within: region, isHidden: true }
  const beside: Action[] = [
    { id: 'next-stage', label: strings.nextStage, keys: ['l', 'ArrowRight'], run: step(1, 0), ...here },
    {
      id: 'previous-stage',
      label: strings.previousStage,
      keys: ['h', 'ArrowLeft'],
      run: step(-1, 0),
      ...here,
    },
  ]
  useActions([
    { id: 'next-deal', label: strings.nextDeal, keys: ['j', 'ArrowDown'], run: step(0, 1), ...here },
    { id: 'previous-deal', label: strings.previousDeal, keys: ['k', 'ArrowUp'], run: step(0, -1), ...here },
    ...(hasColumns ? beside : []),
    mayWrite && {
      ...{ id: 'select-deal', label: strings.selectDeal, keys: ['x'], run: unlessDragging(toggle) },
      ...here,
    },
    mayWrite && {
      ...{ id: 'move-deals', label: strings.moveDeals, keys: ['m'], run: unlessDragging(chooseStage) },
      ...here,
      // Only the key moves the focused deal.
      isHidden: selected.deals.length === 0,
    },
    {
      id: 'clear-selection',
      label: strings.clearSelection,
      group,
      keys: ['Escape'],
      run: unlessDragging(selected.clear),
      disabled: selected.deals.length === 0,
    },
  ])
}

/** The deal whose card or row has the focus, as what a task is about. */
export function aboutFocused(shown: readonly Deal[]): AboutEntry | null {
  const id = focusedCard(document.body)?.dataset.deal
  const deal = shown.find((one) => one.id === id)
  return deal ? { type: 'deal', id: deal.id, name: companyNameOf(deal) } : null
}

/** The card or row that has the focus, or one of whose controls has. */
function focusedCard(board: HTMLElement): HTMLElement | null {
  const card = document.activeElement?.closest('article, tr')?.querySelector<HTMLElement>('[data-deal]')
  return card && board.contains(card) ? card : null
}

const cardsIn = (column: Element) => [...column.querySelectorAll<HTMLElement>('[data-deal]')]

/** The card above or below, or the one at the same height in the next column that has any; at first, the first card. */
function nextCard(board: HTMLElement, columns: number, cards: number): HTMLElement | undefined {
  const stages = [...board.querySelectorAll('[data-stage]')]
  // The list is a single column.
  const all = (stages.length > 0 ? stages : [board]).map(cardsIn).filter((column) => column.length > 0)
  const card = focusedCard(board)
  if (!card) return all[0]?.[0]
  const at = all.findIndex((column) => column.includes(card))
  const here = all[at] ?? []
  if (columns === 0) return here[here.indexOf(card) + cards]
  const { top } = card.getBoundingClientRect()
  return all[at + columns]?.reduce((nearest, one) =>
    distance(one, top) < distance(nearest, top) ? one : nearest,
  )
}

const distance = (card: HTMLElement, top: number): number => Math.abs(card.getBoundingClientRect().top - top)
