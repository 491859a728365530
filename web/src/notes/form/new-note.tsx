import { useMediaQuery } from '@mantine/hooks'
import { strings } from '#strings/notes.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { type AboutEntry, emptyNote, type NoteKind } from '../note-text.ts'
import { NoteForm } from './note-form.tsx'

export interface NewNoteProps {
  kind: NoteKind
  /** The record of the page. */
  about: AboutEntry | null
  /** The company of a deal. */
  companyId?: string | undefined
  close: () => void
}

/** The dialog that writes a note. Each record has a draft of its own. */
export default function NewNote({ kind, about, companyId, close }: NewNoteProps) {
  const isNarrow = useMediaQuery('(max-width: 36em)', false, { getInitialValueInEffect: false })
  return (
    <Dialog onClose={close} title={strings.newOf[kind]} size="xl" fullScreen={isNarrow}>
      <NoteForm
        draftKey={`new:${about?.id ?? ''}`}
        initial={emptyNote(kind, about ? [about] : [])}
        companyId={companyId}
        close={close}
      />
    </Dialog>
  )
}
