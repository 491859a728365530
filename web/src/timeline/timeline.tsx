import { Button, NativeSelect, Stack, Text, Title } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { strings as notes } from '#strings/notes.ts'
import { strings } from '#strings/timeline.ts'
import { noteQueries } from '#web/api/note-queries.ts'
import { queries } from '#web/api/queries.ts'
import type { ListedNote, TimelineEntry } from '#web/api/service.ts'
import { timelineQueries } from '#web/api/timeline-queries.ts'
import { useCan } from '#web/api/use-can.ts'
import { formatMonthHeading } from '#web/format/days.ts'
import { NoteItem } from '#web/notes/note-item.tsx'
import { useReplies } from '#web/notes/use-replies.ts'
import { ScreenLink } from '#web/ui/link.tsx'
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx'
import { ChangeEntry } from './change-entry.tsx'
import { type Composer, ComposerBar } from './composer.tsx'
import { DecisionEntry } from './decision-entry.tsx'
import { FILTERS, FILTERS_OF, type TimelineFilter } from './entry.ts'
import classes from './timeline.module.css'

/** Pinned notes come first in lists, and are few. */
const MAX_PINNED = 20

interface TimelineProps {
  of: 'company' | 'person' | 'deal'
  composer: Composer
}

/** All that happened with a record, newest first, and what is written about it: pinned notes first. */
export function Timeline({ of, composer }: TimelineProps) {
  const { id } = composer.about
  const [filter, setFilter] = useState<TimelineFilter>('all')
  const timeline = useInfiniteQuery(timelineQueries.timeline(of, id, FILTERS[filter]))
  const showsNotes = filter === 'all' || filter === 'notes'
  const pinned = useQuery({
    ...noteQueries.notes({ about: [id], limit: MAX_PINNED }),
    enabled: showsNotes,
    select: ({ data }) => data.filter((note) => note.pinned),
  })
  const pinnedNotes = showsNotes ? (pinned.data ?? []) : []
  const pinnedIds = new Set(pinnedNotes.map((note) => note.id))
  const entries = (timeline.data?.pages ?? [])
    .flatMap(({ data }) => data)
    .filter((entry) => !pinnedIds.has(entry.note?.id ?? ''))
  const isEmpty = timeline.isSuccess && entries.length === 0 && pinnedNotes.length === 0
  return (
    <Stack gap="md" component="section" aria-label={strings.title}>
      <ComposerBar composer={composer}>
        <NativeSelect
          aria-label={strings.show}
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value as TimelineFilter)}
          data={FILTERS_OF[of].map((value) => ({ value, label: strings.filters[value] }))}
        />
      </ComposerBar>
      {timeline.isPending && <SkeletonLines lines={8} height={20} />}
      {timeline.isError && !timeline.data && (
        <ErrorState error={timeline.error} retry={() => timeline.refetch()} />
      )}
      {isEmpty && <EmptyTimeline isFiltered={filter !== 'all'} />}
      <Entries of={of} id={id} pinned={pinnedNotes} entries={entries} />
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
            <li key={note.id} className={classes.card} data-pinned>
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
                    isShortened={entry.truncated ?? false}
                  />
                </li>
              ) : entry.decision ? (
                <li key={entry.id} className={classes.card}>
                  <DecisionEntry decision={entry.decision} me={me?.email} showsCompany={of === 'person'} />
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
