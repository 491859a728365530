import { useState } from 'react'
import { strings } from '#strings/notes.ts'
import { useCan } from '#web/api/use-can.ts'
import { useActions } from '#web/keyboard/actions.ts'
import { LazyDialog } from '#web/ui/lazy.tsx'
import { NewNote } from './lazy-forms.ts'
import type { AboutEntry, NoteKind } from './note-text.ts'

/** Offers the keys and commands that write a note, and log a call or a meeting. */
export function useNoteKeys(write: (kind: NoteKind) => void): void {
  const mayWrite = useCan('write')
  const { group } = strings
  useActions([
    mayWrite && { id: 'new-note', label: strings.newOf.note, group, keys: ['n'], run: () => write('note') },
    mayWrite && { id: 'log-call', label: strings.newOf.call, group, keys: ['l'], run: () => write('call') },
    mayWrite && { id: 'log-meeting', label: strings.newOf.meeting, group, run: () => write('meeting') },
  ])
}

/**
 * The keys and their dialog, for all tabs of a page.
 * @param about the record of the page; null: the user selects one
 */
export function NoteKeys({ about }: { about: AboutEntry | null }) {
  const [kind, write] = useState<NoteKind | null>(null)
  const close = () => write(null)
  useNoteKeys(write)
  return (
    kind && (
      <LazyDialog close={close}>
        <NewNote kind={kind} about={about} close={close} />
      </LazyDialog>
    )
  )
}
