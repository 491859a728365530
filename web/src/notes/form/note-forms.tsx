import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { strings } from '#strings/notes.ts'
import { noteQueries } from '#web/api/note-queries.ts'
import { queries } from '#web/api/queries.ts'
import type { Note } from '#web/api/service.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { SkeletonLines } from '#web/ui/states.tsx'
import { type AboutEntry, emptyNote, type NoteKind, noteText } from '../note-text.ts'
import { newNoteKey } from '../use-note-draft.ts'
import { NoteForm } from './note-form.tsx'

interface NewNoteProps {
  kind: NoteKind
  /** The record of the page. */
  about: AboutEntry | null
  /** The company of a deal. */
  companyId?: string | undefined
  /** A text to begin with, such as one that becomes a note. */
  body?: string
  close: () => void
}

/** The dialog that writes a note. Each record has a draft of its own for each kind, and each text to begin with, too. */
export function NewNote({ kind, about, companyId, body, close }: NewNoteProps) {
  const isNarrow = useMediaQuery('(max-width: 36em)', false, { getInitialValueInEffect: false })
  return (
    <Dialog onClose={close} title={strings.titleOf[kind]} size="xl" fullScreen={isNarrow}>
      <NoteForm
        draftKey={(one) => newNoteKey(`${about?.id ?? ''}${body ? ` ${body.slice(0, 60)}` : ''}`, one)}
        initial={{ ...emptyNote(kind, about ? [about] : []), ...(body !== undefined && { body }) }}
        companyId={companyId}
        close={close}
      />
    </Dialog>
  )
}

interface OneNoteProps {
  note: Note
  close: () => void
}

/** Edits a note in its place. */
export function EditNote({ note, close }: OneNoteProps) {
  // For the names in the text, which stand for mentions.
  const users = useQuery(queries.allUsers())
  const { parent_id } = note
  const parent = useQuery({ ...noteQueries.note(parent_id ?? ''), enabled: parent_id !== null })
  if (users.isPending || parent.isLoading) return <SkeletonLines lines={6} />
  return (
    <NoteForm
      draftKey={() => `edit:${note.id}`}
      initial={noteText(note, users.data ?? [])}
      note={note}
      readers={readersOf(parent.data)}
      close={close}
    />
  )
}

/** Who can read a private note; undefined for other notes. */
const readersOf = (note: Note | undefined): string[] | undefined =>
  note?.visibility === 'private'
    ? [...note.mentions, ...(note.author_email ? [note.author_email] : [])]
    : undefined

/** Writes a reply below a note. */
export const ReplyToNote = ({ note, close }: OneNoteProps) => (
  <NoteForm
    draftKey={() => `reply:${note.id}`}
    initial={emptyNote('note', [])}
    parentId={note.id}
    readers={readersOf(note)}
    close={close}
  />
)
