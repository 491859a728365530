import { Anchor, Button, Group, Text } from '@mantine/core'
import { IconNote, IconPhone, IconUsers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { strings } from '#strings/notes.ts'
import { noteQueries } from '#web/api/note-queries.ts'
import { useCan } from '#web/api/use-can.ts'
import { formatMomentOrClock } from '#web/format/days.ts'
import { LazyDialog } from '#web/ui/lazy.tsx'
import { Section } from '#web/ui/section.tsx'
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx'
import { NewNote } from './lazy-forms.ts'
import { NoteItem } from './note-item.tsx'
import type { AboutEntry, NoteKind } from './note-text.ts'
import { useNewNoteDrafts } from './use-note-draft.ts'
import { useReplies } from './use-replies.ts'

const FIRST = 5
const STEP = 20
const BUTTONS = [
  { kind: 'note', Icon: IconNote },
  { kind: 'call', Icon: IconPhone },
  { kind: 'meeting', Icon: IconUsers },
] as const

interface RecordNotesProps {
  about: AboutEntry
  /** The company of a deal. */
  companyId?: string
  /** Whether the page has the keys that write a note. */
  hasKeys?: boolean
}

/** The notes, calls, and meetings about a record, or that a person took part in: pinned ones first, then the latest. */
export function RecordNotes({ about, companyId, hasKeys = true }: RecordNotesProps) {
  const mayWrite = useCan('write')
  const [limit, setLimit] = useState(FIRST)
  const [kind, write] = useState<NoteKind | null>(null)
  const notes = useQuery(noteQueries.notes({ about: [about.id], limit }))
  const listed = notes.data?.data ?? []
  const repliesOf = useReplies(listed)
  const drafts = useNewNoteDrafts(about.id)
  const close = () => write(null)
  return (
    <Section
      title={strings.section}
      actions={
        mayWrite && (
          <Group gap={6} className="print-hidden">
            {BUTTONS.map(({ kind: one, Icon }) => (
              <Button
                key={one}
                size="compact-sm"
                variant="default"
                leftSection={<Icon size={14} aria-hidden />}
                aria-label={strings.newOf[one]}
                onClick={() => write(one)}
              >
                {strings.kinds[one]}
              </Button>
            ))}
          </Group>
        )
      }
    >
      {mayWrite &&
        drafts.map(({ kind: one, at }) => (
          <Text key={one} size="sm" c="dimmed" className="print-hidden">
            {strings.draftOf[one](formatMomentOrClock(at))} ·{' '}
            <Anchor component="button" type="button" inherit underline="always" onClick={() => write(one)}>
              {strings.continueDraft}
            </Anchor>
          </Text>
        ))}
      {notes.isPending && <SkeletonLines lines={3} />}
      {notes.isError && !notes.data && <ErrorState error={notes.error} retry={() => notes.refetch()} />}
      {notes.data && listed.length === 0 && (
        <Text size="sm" c="dimmed">
          {strings.empty} {mayWrite && strings.emptyHelp}{' '}
          {mayWrite && hasKeys && <span className="needs-keyboard">{strings.emptyKeys}</span>}
        </Text>
      )}
      {listed.length > 0 && (
        <div>
          {listed.map((note) => (
            <NoteItem key={note.id} note={note} replies={repliesOf(note.id)} level={3} recordId={about.id} />
          ))}
        </div>
      )}
      {notes.data?.pagination.hasMore && (
        <Button
          size="compact-sm"
          variant="default"
          loading={notes.isFetching}
          onClick={() => setLimit(limit + STEP)}
          style={{ alignSelf: 'flex-start' }}
        >
          {strings.showOlder}
        </Button>
      )}
      {kind && (
        <LazyDialog close={close}>
          <NewNote kind={kind} about={about} companyId={companyId} close={close} />
        </LazyDialog>
      )}
    </Section>
  )
}
