import { useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'

/** Opens the panel of a deal, or closes it; the focus then goes back to where it was opened. */
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

/** Puts the focus where the panel of a deal is opened, wherever that has moved meanwhile. */
export const focusOpener = (id: string): void =>
  document.querySelector<HTMLElement>(`[data-deal="${CSS.escape(id)}"]`)?.focus()
