import { useQuery } from '@tanstack/react-query'
import { queries } from './queries.ts'
import { useCan } from './use-can.ts'

/** Whether the user may change and delete a note or decision: their own, or with the permission to delete. */
export function useMayChangeOwn(author_email: string | null): boolean {
  const { data: me } = useQuery(queries.me())
  const mayWrite = useCan('write_own')
  const mayChangeOthers = useCan('delete')
  return mayChangeOthers || (mayWrite && author_email === me?.email)
}
