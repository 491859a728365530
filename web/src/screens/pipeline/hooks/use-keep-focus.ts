import { useEffect } from 'react'
import type { Deal } from '#web/api/service.ts'
import { removedFocus } from '#web/browser/focus.ts'
import { focusOpener } from './use-open-deal.ts'

/** Returns the focus to a deal that had it when its card was replaced, because the deal was moved or moved back. */
export function useKeepFocus(shown: readonly Deal[]): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the deals have changed
  useEffect(() => {
    const card = removedFocus()?.closest('article')?.querySelector<HTMLElement>('[data-deal]')
    if (card?.dataset.deal) focusOpener(card.dataset.deal)
  }, [shown])
}
