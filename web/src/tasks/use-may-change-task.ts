import { useQuery } from '@tanstack/react-query'
import { queries } from '#web/api/queries.ts'
import type { Task } from '#web/api/service.ts'
import { useCan } from '#web/api/use-can.ts'

type Owned = Pick<Task, 'author_email' | 'assignee_email'>

/** Says of tasks whether the user may finish, change, and delete them: their own, or with the permission to delete. */
export function useMayChangeTasks(): (task: Owned) => boolean {
  const { data: me } = useQuery(queries.me())
  const mayWrite = useCan('write_own')
  const mayChangeOthers = useCan('delete')
  return ({ author_email, assignee_email }) =>
    mayChangeOthers || (mayWrite && me !== undefined && [author_email, assignee_email].includes(me.email))
}
