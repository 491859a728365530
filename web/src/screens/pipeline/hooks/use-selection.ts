import { useCallback, useMemo, useState } from 'react'
import type { Deal } from '#web/api/service.ts'

export interface DealsSelected {
  ids: ReadonlySet<string>
  toggle: (deal: Deal) => void
  add: (deals: readonly Deal[]) => void
  clear: () => void
  /** The selected deals among those on screen, as they are now. */
  deals: Deal[]
}

/** The selected deals. Deals that a filter hides are deselected. */
export function useSelection(shown: readonly Deal[]): DealsSelected {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const toggle = useCallback(
    ({ id }: Deal) =>
      setChosen((before) => {
        const after = new Set(before)
        if (!after.delete(id)) after.add(id)
        return after
      }),
    [],
  )
  const add = useCallback(
    (deals: readonly Deal[]) => setChosen((before) => new Set([...before, ...deals.map(({ id }) => id)])),
    [],
  )
  const clear = useCallback(() => setChosen(new Set()), [])
  const deals = useMemo(() => shown.filter(({ id }) => chosen.has(id)), [shown, chosen])
  const ids = useMemo(() => new Set(deals.map(({ id }) => id)), [deals])
  return { ids, toggle, add, clear, deals }
}
