import { Button, Group, Stack, Text, Title, VisuallyHidden } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { strings as keyboard } from '#strings/keyboard.ts'
import { strings as notes } from '#strings/notes.ts'
import { strings as relationships } from '#strings/relationships.ts'
import { strings } from '#strings/timeline.ts'
import { noteQueries } from '#web/api/note-queries.ts'
import { queries } from '#web/api/queries.ts'
import type { ListedNote, TimelineEntry } from '#web/api/service.ts'
import { timelineQueries } from '#web/api/timeline-queries.ts'
import { useCan } from '#web/api/use-can.ts'
import { usePrinting } from '#web/browser/printing.ts'
import { DecisionItem } from '#web/decisions/decision-item.tsx'
import { formatMonthHeading } from '#web/format/days.ts'
import { useActions } from '#web/keyboard/actions.ts'
import { NoteItem } from '#web/notes/note-item.tsx'
import { useReplies } from '#web/notes/use-replies.ts'
import { TaskEntry } from '#web/tasks/task-entry.tsx'
import { ScreenLink } from '#web/ui/link.tsx'
import { Section } from '#web/ui/section.tsx'
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx'
import { ChangeEntry } from './change-entry.tsx'
import { type Composer, ComposerBar } from './composer.tsx'
import { FILTERS, FILTERS_OF, type TimelineFilter } from './entry.ts'
import { FileEntry } from './file-entry.tsx'
import { FilterMenu } from './filter-menu.tsx'
import classes from './timeline.module.css'

/** The newest notes, which lists show whole, after the pinned ones, which are few. */
const NOTES = 20

const BRIEFS = {
  company: '/companies/$id/brief',
  person: '/people/$id/brief',
  deal: '/deals/$id/brief',
} as const

interface TimelineProps {
  of: 'company' | 'person' | 'deal'
  composer: Composer
}

/** All that happened with a record, newest first, and what is written about it: pinned notes first. */
export function Timeline({ of, composer }: TimelineProps) {
  const { id } = composer.about
  const titleId = useId()
  const [filter, setFilter] = useState<TimelineFilter>('all')
  const { timeline, pinned, entries } = useTimeline(of, id, filter)
  const navigate = useNavigate()
  useActions([
    {
      ...{ id: 'open-brief', label: relationships.openBrief, group: keyboard.screen },
      run: () => navigate({ to: BRIEFS[of], params: { id } }),
    },
  ])
  const isEmpty = timeline.isSuccess && entries.length === 0 && pinned.length === 0
  return (
    <Stack gap="md" component="section" aria-labelledby={titleId}>
      <VisuallyHidden component="h2" id={titleId}>
        {strings.title}
      </VisuallyHidden>
      <ComposerBar composer={composer}>
        <Group gap="sm">
          <ScreenLink to={BRIEFS[of]} params={{ id }} size="sm">
            {relationships.brief}
          </ScreenLink>
          <FilterMenu choices={FILTERS_OF[of]} value={filter} choose={setFilter} />
        </Group>
      </ComposerBar>
      {timeline.isPending && <SkeletonLines lines={8} height={20} />}
      {timeline.isError && !timeline.data && (
        <ErrorState error={timeline.error} retry={() => timeline.refetch()} />
      )}
      {isEmpty && <EmptyTimeline isFiltered={filter !== 'all'} />}
      <Entries of={of} id={id} pinned={pinned} entries={entries} />
      {timeline.hasNextPage && (
        <Button
          variant="default"
          size="compact-sm"
          loading={timeline.isFetchingNextPage}
          onClick={() => timeline.fetchNextPage()}
          style={{ alignSelf: 'flex-start' }}
        >
          {strings.showMore}
        </Button>
      )}
      {!timeline.hasNextPage && entries.length > 0 && (
        <ScreenLink
          to="/activity"
          search={{ entity_id: id }}
          size="sm"
          className="print-hidden"
          style={{ alignSelf: 'flex-start' }}
        >
          {strings.allActivity}
        </ScreenLink>
      )}
    </Stack>
  )
}

/** The notes, decisions, and deals of the timeline, for the printed page. They are loaded before. */
export function PrintedTimeline({ of, composer }: TimelineProps) {
  const { id } = composer.about
  const isPrinting = usePrinting()
  const { pinned, entries } = useTimeline(of, id, 'all')
  const printed = entries.filter(({ kind }) => kind !== 'change' && kind !== 'score')
  useReplies([...pinned, ...printed.flatMap(({ note }) => note ?? [])])
  if (!isPrinting || pinned.length + printed.length === 0) return null
  return (
    <Section title={strings.title}>
      <Entries of={of} id={id} pinned={pinned} entries={printed} />
    </Section>
  )
}

/** The loaded entries without the pinned notes, and the pinned notes. */
function useTimeline(of: TimelineProps['of'], id: string, filter: TimelineFilter) {
  const timeline = useInfiniteQuery(timelineQueries.timeline(of, id, FILTERS[filter]))
  const notes = useQuery(noteQueries.notes({ about: [id], limit: NOTES })).data?.data ?? []
  const whole = new Map(notes.map((note) => [note.id, note]))
  const pinned = filter === 'all' || filter === 'notes' ? notes.filter((note) => note.pinned) : []
  const pinnedIds = new Set(pinned.map((note) => note.id))
  const entries = (timeline.data?.pages ?? [])
    .flatMap(({ data }) => data)
    .filter((entry) => !pinnedIds.has(entry.note?.id ?? ''))
    .map((entry) => {
      const note = entry.note?.truncated && whole.get(entry.note.id)
      return note ? { ...entry, note } : entry
    })
  return { timeline, pinned, entries }
}

function EmptyTimeline({ isFiltered }: { isFiltered: boolean }) {
  const mayWrite = useCan('write')
  return (
    <Text size="sm" c="dimmed">
      {isFiltered ? strings.emptyForFilter : strings.empty}{' '}
      {mayWrite && !isFiltered && <span className="needs-keyboard">{notes.emptyKeys}</span>}
    </Text>
  )
}

interface EntriesProps {
  of: TimelineProps['of']
  id: string
  pinned: readonly ListedNote[]
  entries: readonly TimelineEntry[]
}

function Entries({ of, id, pinned, entries }: EntriesProps) {
  const { data: me } = useQuery(queries.me())
  const repliesOf = useReplies([...pinned, ...entries.flatMap(({ note }) => note ?? [])])
  const own = { type: of, id }
  const months = [...Map.groupBy(entries, ({ at }) => formatMonthHeading(at))]
  return (
    <>
      {pinned.length > 0 && (
        <ul className={classes.list} aria-label={strings.pinned}>
          {pinned.map((note) => (
            <li key={note.id} className={classes.pinned}>
              <NoteItem note={note} replies={repliesOf(note.id)} level={3} recordId={id} />
            </li>
          ))}
        </ul>
      )}
      {months.map(([month, ofMonth]) => (
        <Stack key={month} gap="xs" component="section">
          <Title order={2} size="h6" c="dimmed">
            {month}
          </Title>
          <ol className={classes.list}>
            {ofMonth.map((entry) =>
              entry.note ? (
                <li key={entry.id} className={classes.card}>
                  <NoteItem
                    note={entry.note}
                    replies={repliesOf(entry.note.id)}
                    level={3}
                    recordId={id}
                    isShortened={entry.note.truncated ?? false}
                  />
                </li>
              ) : entry.task ? (
                <li key={entry.id} className={classes.card}>
                  <TaskEntry task={entry.task} recordId={id} />
                </li>
              ) : entry.file ? (
                <FileEntry key={entry.id} entry={entry} file={entry.file} recordId={id} />
              ) : entry.decision ? (
                <li key={entry.id} className={classes.card}>
                  <DecisionItem decision={entry.decision} showsCompany={of === 'person'} />
                </li>
              ) : (
                <ChangeEntry key={entry.id} entry={entry} own={own} me={me?.email} />
              ),
            )}
          </ol>
        </Stack>
      ))}
    </>
  )
}
