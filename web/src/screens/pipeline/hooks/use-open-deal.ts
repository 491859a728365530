import { type RouterHistory, useNavigate, useRouter } from '@tanstack/react-router'
import { useCallback } from 'react'
import { isFocusFree } from '#web/browser/focus.ts'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The entry before it in the history is the same screen without the panel. */
    isPanelOverScreen?: boolean
  }
}

let isGoingBack = false

/** Goes back once, however often it is called until then. */
function goBack(history: RouterHistory): void {
  if (isGoingBack) return
  isGoingBack = true
  const unsubscribe = history.subscribe(() => {
    isGoingBack = false
    unsubscribe()
  })
  history.back()
}

/** Opens the panel of a deal, or closes it with null. Back closes it as well, and does not open it again. */
export function useOpenDeal(): (id: string | null) => void {
  const navigate = useNavigate({ from: '/pipeline' })
  const { history } = useRouter()
  return useCallback(
    (id) => {
      if (id === null && history.location.state.isPanelOverScreen) return goBack(history)
      navigate({
        to: '/pipeline',
        search: ({ deal: _deal, ...search }) => (id ? { ...search, deal: id } : search),
        state: (state) => ({ ...state, isPanelOverScreen: id !== null }),
        replace: id === null,
        resetScroll: false,
      })
    },
    [navigate, history],
  )
}

/** After this delay, the card has been rendered as a new element in its new column. */
export const FOCUS_DELAY_MS = 100

/** Focuses a deal after it has moved, if the focus was lost with its previous card or with the menu. */
export function focusMoved(id: string): void {
  setTimeout(() => {
    if (isFocusFree()) focusOpener(id)
  }, FOCUS_DELAY_MS)
}

/** Focuses the element that opens the panel of a deal, wherever it is now. */
export const focusOpener = (id: string): void =>
  document.querySelector<HTMLElement>(`[data-deal="${CSS.escape(id)}"]`)?.focus()
