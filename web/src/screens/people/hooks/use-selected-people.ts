import { useCallback, useMemo, useState } from 'react'

interface NamedPerson {
  id: string
  name: string
}

export interface SelectedPeople {
  /** On all pages, in the order in which they were selected. */
  people: readonly NamedPerson[]
  has: (id: string) => boolean
  set: (ids: readonly string[], isSelected: boolean) => void
  clear: () => void
}

/** The selected people. They stay selected when the list shows others. */
export function useSelectedPeople(rows: readonly NamedPerson[]): SelectedPeople {
  const [chosen, setChosen] = useState<ReadonlyMap<string, NamedPerson>>(new Map())
  const names = useMemo(() => new Map(rows.map(({ id, name }) => [id, name])), [rows])
  const set = useCallback(
    (ids: readonly string[], isSelected: boolean) =>
      setChosen((before) => {
        const after = new Map(before)
        for (const id of ids)
          if (isSelected) after.set(id, { id, name: names.get(id) ?? after.get(id)?.name ?? id })
          else after.delete(id)
        return after
      }),
    [names],
  )
  const clear = useCallback(() => setChosen(new Map()), [])
  return useMemo(
    () => ({ people: [...chosen.values()], has: (id) => chosen.has(id), set, clear }),
    [chosen, set, clear],
  )
}
