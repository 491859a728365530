import type { RefObject } from 'react'
import { strings } from '#strings/matches.ts'
import type { ThesisMatch } from '#web/api/service.ts'
import { useActions } from '#web/keyboard/actions.ts'
import { useItemFocus } from '#web/lists/use-item-focus.ts'
import type { MatchActions } from './hooks/use-matches.ts'

interface MatchKeys extends MatchActions {
  matches: readonly ThesisMatch[]
  /** The verdict of all matches on screen. A match that gets another one leaves the list. */
  shown: 'none' | 'up' | 'down'
  list: RefObject<HTMLElement | null>
  /** The address of the list. */
  address: string
  createDeal: (match: ThesisMatch) => void
  mayWrite: boolean
}

/**
 * The keys of the matches. They move the focus between matches, and act on the focused one. If none
 * has the focus, they focus the first. When the focused match leaves the list, the focus goes to the next one.
 */
export function useMatchKeys(options: MatchKeys): void {
  const { matches, shown, list, address, createDeal, mayWrite, judge, assign } = options
  const focus = useItemFocus(list, matches, address)
  const step = (by: 1 | -1) => focus.on(Math.max(0, focus.index() + by))
  const act = (change: (match: ThesisMatch) => void, isLeaving = false) => {
    const at = focus.index()
    if (at < 0) return focus.on(0)
    const match = matches.find(({ id }) => id === focus.idAt(at))
    if (!match) return
    change(match)
    if (isLeaving) focus.leave(at)
  }
  const give = (verdict: 'up' | 'down' | null) =>
    act((match) => judge(match, verdict), (verdict ?? 'none') !== shown)
  const here = { group: strings.matches, within: list, isHidden: true }
  const change = { ...here, disabled: !mayWrite }
  useActions([
    { id: 'next-match', label: strings.nextMatch, keys: ['j'], run: () => step(1), ...here },
    { id: 'previous-match', label: strings.previousMatch, keys: ['k'], run: () => step(-1), ...here },
    { id: 'approve', label: strings.approveMatch, keys: ['a'], run: () => give('up'), ...change },
    { id: 'reject', label: strings.rejectMatch, keys: ['r'], run: () => give('down'), ...change },
    { id: 'clear-verdict', label: strings.clearVerdict, keys: ['u'], run: () => give(null), ...change },
    { id: 'link', label: strings.assign, keys: ['t'], run: () => act(assign), ...change },
    { id: 'match-deal', label: strings.newDeal, keys: ['d'], run: () => act(createDeal), ...change },
  ])
}
