import { useCallback, useState } from 'react'
import type { Task } from '#web/api/service.ts'

const NONE: ReadonlyMap<string, Task> = new Map()

/**
 * The tasks that were finished on this page, by id: they stay in the list, struck through, until it shows others.
 * @returns them, a function that keeps tasks as they are now, and one that forgets all
 */
export function useFinishedTasks(): [ReadonlyMap<string, Task>, (tasks: Task[]) => void, () => void] {
  const [finished, setFinished] = useState(NONE)
  const keep = useCallback(
    (tasks: Task[]) =>
      setFinished((before) => new Map([...before, ...tasks.map((task) => [task.id, task] as const)])),
    [],
  )
  const forget = useCallback(() => setFinished(NONE), [])
  return [finished, keep, forget]
}
