import { Group, Paper, Skeleton, Text } from '@mantine/core'
import { IconArrowLeft, IconNoteOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { NotFound } from '#src/client/errors.ts'
import { truncate } from '#src/client/limits.ts'
import { strings } from '#strings/notes.ts'
import { isInTrash, TrashedRecord } from '#web/activity/trashed-record.tsx'
import { noteQueries } from '#web/api/note-queries.ts'
import type { Note } from '#web/api/service.ts'
import { NoteItem } from '#web/notes/note-item.tsx'
import { plainText } from '#web/notes/note-text.ts'
import { useReplies } from '#web/notes/use-replies.ts'
import { ScreenLink } from '#web/ui/link.tsx'
import { Page } from '#web/ui/page.tsx'
import { EmptyState, ErrorState } from '#web/ui/states.tsx'

const MAX_HEADING_LENGTH = 80

const route = getRouteApi('/shell/notes/$id')

/** One note with its replies. */
export function NoteScreen() {
  const { id } = route.useParams()
  const note = useQuery(noteQueries.note(id))
  const isMissing = note.error instanceof NotFound
  if (note.data && !isMissing) return <NotePage key={id} note={note.data} />
  return (
    <Page title={isMissing ? strings.notFoundTitle : strings.title} heading={strings.title}>
      {isInTrash(note.error) ? (
        <TrashedRecord id={id} />
      ) : isMissing ? (
        <EmptyState
          icon={<IconNoteOff aria-hidden />}
          title={strings.notFoundTitle}
          action={<ScreenLink to="/notes">{strings.toNotes}</ScreenLink>}
        >
          {strings.notFound}
        </EmptyState>
      ) : note.isError ? (
        <ErrorState error={note.error} retry={() => note.refetch()} />
      ) : (
        <Skeleton height={240} maw="52rem" radius="md" />
      )}
    </Page>
  )
}

function NotePage({ note }: { note: Note }) {
  const repliesOf = useReplies([note])
  const firstLine = note.body.split('\n').map(plainText).find(Boolean) ?? strings.kinds[note.kind]
  return (
    <>
      <Group mb="xs" className="print-hidden">
        <ScreenLink to="/notes" size="sm">
          <Group gap={4} component="span">
            <IconArrowLeft size={14} aria-hidden />
            {strings.toNotes}
          </Group>
        </ScreenLink>
      </Group>
      <Page title={note.title ?? truncate(firstLine, MAX_HEADING_LENGTH)}>
        {note.parent_id && (
          <Text size="sm">
            {strings.inReplyTo}{' '}
            <ScreenLink to="/notes/$id" params={{ id: note.parent_id }} inherit underline="always">
              {strings.viewParent}
            </ScreenLink>
          </Text>
        )}
        <Paper withBorder p={{ base: 'sm', sm: 'md' }} maw="52rem">
          <NoteItem note={note} replies={repliesOf(note.id)} level={1} isPage />
        </Paper>
      </Page>
    </>
  )
}
