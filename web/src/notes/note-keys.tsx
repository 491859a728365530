import { useState } from 'react'
import { strings } from '#strings/notes.ts'
import { useCan } from '#web/api/use-can.ts'
import { useActions } from '#web/keyboard/actions.ts'
import { LazyDialog } from '#web/ui/lazy.tsx'
import { NewNote } from './lazy-forms.ts'
import type { AboutEntry, NoteKind } from './note-text.ts'

/**
 * The keys and commands that write a note, and log a call or a meeting, for all tabs of a page.
 * @param about the record of the page; null: the user selects one
 * @param companyId the company of a deal
 */
export function NoteKeys({ about, companyId }: { about: AboutEntry | null; companyId?: string }) {
  const mayWrite = useCan('write')
  const [kind, write] = useState<NoteKind | null>(null)
  const close = () => write(null)
  const { group } = strings
  useActions([
    mayWrite && { id: 'new-note', label: strings.newOf.note, group, keys: ['n'], run: () => write('note') },
    mayWrite && { id: 'log-call', label: strings.newOf.call, group, keys: ['l'], run: () => write('call') },
    mayWrite && { id: 'log-meeting', label: strings.newOf.meeting, group, run: () => write('meeting') },
  ])
  return (
    kind && (
      <LazyDialog close={close}>
        <NewNote kind={kind} about={about} companyId={companyId} close={close} />
      </LazyDialog>
    )
  )
}
