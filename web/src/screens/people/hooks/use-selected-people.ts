import { useCallback, useMemo, useState } from 'react'
import type { Person } from '#web/api/service.ts'
import { personSummary } from '#web/fields/person-select.tsx'
import type { MergedRecord } from '#web/merge/merge-dialog.tsx'

export interface SelectedPeople {
  /** On all pages, in the order in which they were selected. */
  people: readonly MergedRecord[]
  has: (id: string) => boolean
  set: (ids: readonly string[], isSelected: boolean) => void
  clear: () => void
}

/** The selected people. They stay selected when the list shows others. */
export function useSelectedPeople(rows: readonly Person[]): SelectedPeople {
  const [chosen, setChosen] = useState<ReadonlyMap<string, MergedRecord>>(new Map())
  const set = useCallback(
    (ids: readonly string[], isSelected: boolean) =>
      setChosen((before) => {
        const after = new Map(before)
        for (const id of ids) {
          const person = rows.find((row) => row.id === id)
          if (!isSelected) after.delete(id)
          else if (person) after.set(id, { id, name: person.name, detail: personSummary(person) })
        }
        return after
      }),
    [rows],
  )
  const clear = useCallback(() => setChosen(new Map()), [])
  return useMemo(
    () => ({ people: [...chosen.values()], has: (id) => chosen.has(id), set, clear }),
    [chosen, set, clear],
  )
}
