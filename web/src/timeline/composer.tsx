import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { IconNote, IconPhone, IconUsers } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { strings as notes } from '#strings/notes.ts'
import { strings } from '#strings/timeline.ts'
import { useCan } from '#web/api/use-can.ts'
import { formatMomentOrClock } from '#web/format/days.ts'
import { NewNote } from '#web/notes/lazy-forms.ts'
import { useNoteKeys } from '#web/notes/note-keys.tsx'
import type { AboutEntry, NoteKind } from '#web/notes/note-text.ts'
import { useNewNoteDrafts } from '#web/notes/use-note-draft.ts'
import { LazyDialog } from '#web/ui/lazy.tsx'

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
}

/** What is written: the kind of a note, perhaps with a text to begin with. */
interface Written {
  kind: NoteKind
  body?: string
}

export interface Composer extends ComposerTarget {
  write: (written: Written) => void
  /** The open dialog. */
  dialog: ReactNode
}

/** Writes notes about a record, also with the keys `n` and `l`, on all tabs of its page. */
export function useComposer({ about, companyId }: ComposerTarget): Composer {
  const [written, write] = useState<Written | null>(null)
  const close = () => write(null)
  useNoteKeys((kind) => write({ kind }))
  const dialog = written && (
    <LazyDialog close={close}>
      <NewNote {...written} about={about} companyId={companyId} close={close} />
    </LazyDialog>
  )
  return { about, ...(companyId !== undefined && { companyId }), write, dialog }
}

/** The buttons that write about the record, and the drafts that were begun. */
export function ComposerBar({ composer, children }: { composer: Composer; children?: ReactNode }) {
  const { about, write } = composer
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
