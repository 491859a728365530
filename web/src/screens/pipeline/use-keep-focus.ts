import { type RefObject, useEffect, useRef } from 'react'
import { isFocusFree } from '#web/browser/focus.ts'
import type { Deal } from '#web/service/service.ts'
import { focusOpener } from './use-open-deal.ts'

/** Returns the focus to a deal that had it when its card was replaced, because the deal was moved or moved back. */
export function useKeepFocus(region: RefObject<HTMLElement | null>, shown: readonly Deal[]): void {
  const focused = useRef<HTMLElement | null>(null)
  useEffect(() => {
    const board = region.current
    const enter = ({ target }: FocusEvent) => {
      const card = target instanceof Element ? target.closest('article')?.querySelector('[data-deal]') : null
      focused.current = card instanceof HTMLElement ? card : null
    }
    // By then, a card that is still there was left on purpose, unless another window has the focus.
    const leave = () => {
      const left = focused.current
      setTimeout(() => {
        if (left === focused.current && left?.isConnected && document.hasFocus() && isFocusFree())
          focused.current = null
      })
    }
    board?.addEventListener('focusin', enter)
    board?.addEventListener('focusout', leave)
    return () => {
      board?.removeEventListener('focusin', enter)
      board?.removeEventListener('focusout', leave)
    }
  }, [region])
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the deals have changed
  useEffect(() => {
    const card = focused.current
    if (!card?.dataset.deal || card.isConnected || !isFocusFree()) return
    focusOpener(card.dataset.deal)
  }, [shown])
}
