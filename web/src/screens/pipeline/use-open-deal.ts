import { useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'

/** Opens the panel of a deal, or closes it with null. */
export function useOpenDeal(): (id: string | null) => void {
  const navigate = useNavigate({ from: '/pipeline' })
  return useCallback(
    (id) =>
      navigate({
        to: '/pipeline',
        search: ({ deal: _deal, ...search }) => (id ? { ...search, deal: id } : search),
        resetScroll: false,
      }),
    [navigate],
  )
}

/** Focuses the element that opens the panel of a deal, wherever it is now. */
export const focusOpener = (id: string): void =>
  document.querySelector<HTMLElement>(`[data-deal="${CSS.escape(id)}"]`)?.focus()
