import { useQuery } from '@tanstack/react-query'
import { queries } from '#web/api/queries.ts'
import type { Note } from '#web/api/service.ts'
import { SkeletonLines } from '#web/ui/states.tsx'
import { noteText } from '../note-text.ts'
import { NoteForm } from './note-form.tsx'

/** Edits a note in its place. */
export default function EditNote({ note, close }: { note: Note; close: () => void }) {
  // For the names in the text, which stand for mentions.
  const users = useQuery(queries.allUsers())
  if (users.isPending) return <SkeletonLines lines={6} />
  return (
    <NoteForm
      draftKey={`edit:${note.id}`}
      initial={noteText(note, users.data ?? [])}
      note={note}
      close={close}
    />
  )
}
