import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { IconChecklist, IconGavel, IconNote, IconPaperclip, IconPhone, IconUsers } from '@tabler/icons-react'
import { lazy, type ReactNode, useState } from 'react'
import { strings as decisions } from '#strings/decisions.ts'
import { strings as files } from '#strings/files.ts'
import { strings as notes } from '#strings/notes.ts'
import { strings as tasks } from '#strings/tasks.ts'
import { strings } from '#strings/timeline.ts'
import { useCan } from '#web/api/use-can.ts'
import type { DecisionStart } from '#web/decisions/decision-dialog.tsx'
import { useAddFiles } from '#web/files/record-files.tsx'
import { formatMomentOrClock } from '#web/format/days.ts'
import { useActions } from '#web/keyboard/actions.ts'
import { NewNote } from '#web/notes/lazy-forms.ts'
import { useNoteKeys } from '#web/notes/note-keys.tsx'
import type { AboutEntry, NoteKind } from '#web/notes/note-text.ts'
import { useNewNoteDrafts } from '#web/notes/use-note-draft.ts'
import { TaskDialog } from '#web/tasks/lazy-dialogs.ts'
import { useTaskKey } from '#web/tasks/task-keys.tsx'
import { LazyDialog } from '#web/ui/lazy.tsx'

const DecisionDialog = lazy(() => import('#web/decisions/decision-dialog.tsx'))

const NOTES = [
  { kind: 'note', Icon: IconNote },
  { kind: 'call', Icon: IconPhone },
  { kind: 'meeting', Icon: IconUsers },
] as const

interface ComposerTarget {
  /** The record of the page. */
  about: AboutEntry
  /** The company of a deal. */
  companyId?: string
  /** What a decision of the page begins with; without it, none can be recorded there. */
  decision?: DecisionStart
}

/** What is written: the kind of a note, perhaps with a text to begin with. */
interface Written {
  kind: NoteKind
  body?: string
}

export interface Composer extends ComposerTarget {
  write: (written: Written) => void
  /** Records a decision, perhaps with a text to begin with. */
  decide: ((start?: Pick<DecisionStart, 'body' | 'dealId'>) => void) | null
  /** Adds a task about the record. */
  addTask: () => void
  /** Lets the user pick files for the record. */
  addFiles: (isPrivate?: boolean) => void
  /** The open dialog. */
  dialog: ReactNode
}

/** Writes notes, decisions, and tasks about a record, and adds files to it, also with keys, on all tabs of its page. */
export function useComposer({ about, companyId, decision }: ComposerTarget): Composer {
  const mayWrite = useCan('write')
  const [written, write] = useState<Written | null>(null)
  const [decided, setDecided] = useState<DecisionStart | null>(null)
  const [isAdding, setAdding] = useState(false)
  const close = () => write(null)
  const closeTask = () => setAdding(false)
  const addTask = () => setAdding(true)
  const closeDecision = () => setDecided(null)
  const decide = decision ? (start: DecisionStart = {}) => setDecided({ ...decision, ...start }) : null
  const addFiles = useAddFiles(about)
  useNoteKeys((kind) => write({ kind }))
  useTaskKey(addTask)
  useActions([
    mayWrite &&
      decide !== null && {
        ...{ id: 'new-decision', label: decisions.record, group: decisions.group },
        ...{ keys: ['e'], run: () => decide() },
      },
  ])
  const dialog = (
    <>
      {written && (
        <LazyDialog close={close}>
          <NewNote {...written} about={about} companyId={companyId} close={close} />
        </LazyDialog>
      )}
      {isAdding && (
        <LazyDialog close={closeTask}>
          <TaskDialog about={about} close={closeTask} />
        </LazyDialog>
      )}
      {decided && (
        <LazyDialog close={closeDecision}>
          <DecisionDialog {...decided} close={closeDecision} />
        </LazyDialog>
      )}
    </>
  )
  return { about, ...(companyId !== undefined && { companyId }), write, decide, addTask, addFiles, dialog }
}

/** The buttons that write about the record, and the drafts that were begun. */
export function ComposerBar({ composer, children }: { composer: Composer; children?: ReactNode }) {
  const { about, write, decide, addTask, addFiles } = composer
  const mayWrite = useCan('write')
  const drafts = useNewNoteDrafts(about.id)
  return (
    <Stack gap="xs" className="print-hidden">
      <Group justify="space-between" gap="xs">
        {mayWrite ? (
          <Group gap={6} role="group" aria-label={strings.compose}>
            {NOTES.map(({ kind, Icon }) => (
              <Button
                key={kind}
                variant="default"
                leftSection={<Icon size={16} stroke={1.8} aria-hidden />}
                aria-label={notes.newOf[kind]}
                onClick={() => write({ kind })}
              >
                {notes.kinds[kind]}
              </Button>
            ))}
            <Button
              variant="default"
              leftSection={<IconChecklist size={16} stroke={1.8} aria-hidden />}
              aria-label={tasks.newTask}
              onClick={addTask}
            >
              {tasks.new}
            </Button>
            <Button
              variant="default"
              leftSection={<IconPaperclip size={16} stroke={1.8} aria-hidden />}
              aria-label={files.addFile}
              onClick={() => addFiles()}
            >
              {files.file}
            </Button>
            {decide && (
              <Button
                variant="default"
                leftSection={<IconGavel size={16} stroke={1.8} aria-hidden />}
                aria-label={decisions.record}
                onClick={() => decide()}
              >
                {decisions.new}
              </Button>
            )}
          </Group>
        ) : (
          <span />
        )}
        {children}
      </Group>
      {mayWrite &&
        drafts.map(({ kind, at }) => (
          <Text key={kind} size="sm" c="dimmed">
            {notes.draftOf[kind](formatMomentOrClock(at))} ·{' '}
            <Anchor
              component="button"
              type="button"
              inherit
              underline="always"
              onClick={() => write({ kind })}
            >
              {notes.continueDraft}
            </Anchor>
          </Text>
        ))}
    </Stack>
  )
}
