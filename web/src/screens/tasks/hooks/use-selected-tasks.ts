import { useCallback, useMemo, useState } from 'react'
import type { Task } from '#web/api/service.ts'

export interface SelectedTasks {
  tasks: readonly Task[]
  has: (id: string) => boolean
  set: (ids: readonly string[], isSelected: boolean) => void
  clear: () => void
}

/** The selected tasks. They stay selected when the list shows others. */
export function useSelectedTasks(rows: readonly Task[]): SelectedTasks {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Task>>(new Map())
  const set = useCallback(
    (ids: readonly string[], isSelected: boolean) =>
      setChosen((before) => {
        const after = new Map(before)
        for (const id of ids) {
          const task = rows.find((row) => row.id === id)
          if (!isSelected) after.delete(id)
          else if (task) after.set(id, task)
        }
        return after
      }),
    [rows],
  )
  const clear = useCallback(() => setChosen(new Map()), [])
  return useMemo(
    () => ({ tasks: [...chosen.values()], has: (id) => chosen.has(id), set, clear }),
    [chosen, set, clear],
  )
}
