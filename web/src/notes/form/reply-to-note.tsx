import type { Note } from '#web/api/service.ts'
import { emptyNote } from '../note-text.ts'
import { NoteForm } from './note-form.tsx'

/** Writes a reply below a note. */
export default function ReplyToNote({ note, close }: { note: Note; close: () => void }) {
  return (
    <NoteForm
      draftKey={`reply:${note.id}`}
      initial={emptyNote('note', [])}
      parentId={note.id}
      close={close}
    />
  )
}
