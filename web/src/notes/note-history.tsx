import { strings } from '#strings/notes.ts'
import { History } from '#web/activity/history.tsx'
import type { Note } from '#web/api/service.ts'
import { Dialog } from '#web/ui/dialog.tsx'

/** The versions of a note. */
export default function NoteHistory({ note, close }: { note: Note; close: () => void }) {
  return (
    <Dialog onClose={close} title={note.title ?? strings.kinds[note.kind]} size="xl">
      <History of="note" id={note.id} />
    </Dialog>
  )
}
