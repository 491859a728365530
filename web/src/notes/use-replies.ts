import { useQuery } from '@tanstack/react-query'
import { noteQueries } from '#web/api/note-queries.ts'

/** The replies to the notes of a list, in a single request. */
export function useReplies(notes: readonly { id: string; replies: number }[]) {
  const ids = notes.filter(({ replies }) => replies > 0).map(({ id }) => id)
  const { data = [] } = useQuery({ ...noteQueries.replies(ids), enabled: ids.length > 0 })
  return (id: string) => (ids.includes(id) ? data.filter(({ parent_id }) => parent_id === id) : [])
}
