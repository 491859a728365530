import type { QueryClient } from '@tanstack/react-query'
import { strings } from '#strings/notes.ts'
import type { Note, Page } from '#web/api/service.ts'

/** The notes that this tab has loaded. */
export function cachedNotes(queryClient: QueryClient): Note[] {
  const lists = queryClient.getQueriesData<Page<Note> | Note[] | Note>({ queryKey: ['notes'] })
  return lists.flatMap(([, data]) => (data && 'pagination' in data ? data.data : (data ?? [])))
}

/** What a note is called: its title, or its kind. */
export const noteName = ({ title, kind, parent_id }: Note): string =>
  title ?? (parent_id === null ? strings.kinds[kind] : strings.reply)

/** The name of a record that a note is about, or of someone who took part, if this tab has loaded such a note. */
export const cachedLinkName = (queryClient: QueryClient, id: string): string | undefined =>
  cachedNotes(queryClient)
    .flatMap(({ about, participants }) => [...about, ...participants])
    .find((linked) => linked.id === id)?.name
