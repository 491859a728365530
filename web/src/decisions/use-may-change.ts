import { useQuery } from '@tanstack/react-query'
import { queries } from '#web/api/queries.ts'
import type { Decision } from '#web/api/service.ts'
import { useCan } from '#web/api/use-can.ts'

/** Whether the user may change, take, and delete a decision: their own, or with the permission to delete. */
export function useMayChange({ author_email }: Decision): boolean {
  const { data: me } = useQuery(queries.me())
  const mayWrite = useCan('write_own')
  const mayChangeOthers = useCan('delete')
  return mayChangeOthers || (mayWrite && author_email === me?.email)
}
