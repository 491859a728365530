import { infiniteQueryOptions } from '@tanstack/react-query'
import { service, type TimelineEntry, type TimelinePage } from './service.ts'

type TimelineOf = 'company' | 'person' | 'deal'

const PAGE_SIZE = 50
const MAX_NOTES = 1000

export const timelineQueries = {
  /** What happened with a record, newest first. */
  timeline: (of: TimelineOf, id: string, kinds: readonly string[]) =>
    infiniteQueryOptions({
      queryKey: ['timeline', of, id, kinds],
      queryFn: ({ pageParam, signal }) => readPage(of, id, kinds, pageParam, signal),
      initialPageParam: null as string | null,
      getNextPageParam: ({ next }) => next,
    }),
}

async function readPage(
  of: TimelineOf,
  id: string,
  kinds: readonly string[],
  before: string | null,
  signal: AbortSignal,
): Promise<TimelinePage> {
  const until = before === null ? {} : { until: before }
  const filter = JSON.stringify({ field: 'company_id', op: 'eq', value: id })
  const [activity, notes, decisions] = await Promise.all([
    service.listActivity(
      {
        querystring: { limit: PAGE_SIZE, ...until, ...(of === 'company' ? { filter } : { entity_id: [id] }) },
      },
      { signal },
    ),
    service.listNotes({ querystring: { about: [id], limit: MAX_NOTES } }, { signal }),
    of === 'person'
      ? null
      : service.listDecisions(
          { querystring: of === 'deal' ? { deal_id: [id] } : { company_id: [id] } },
          { signal },
        ),
  ])
  const changes = activity.data
    .filter(({ entity_type }) => !['note', 'decision'].includes(entity_type))
    .map(
      (record): TimelineEntry => ({
        ...record,
        kind:
          record.entity_type === 'dealflow'
            ? 'deal'
            : record.activity_type === 'company_scored'
              ? 'score'
              : 'change',
        at: record.timestamp,
        title: null,
        count: 1,
        first_at: record.timestamp,
        action_ids: record.action_id === null ? [] : [record.action_id],
      }),
    )
  const written = [
    ...notes.data.map((note) => entryOf(note.id, note.kind, note.happened_at, note.author_email, { note })),
    ...(decisions?.data ?? []).map((decision) =>
      entryOf(decision.id, 'decision', decision.decided_at ?? decision.created_at, decision.author_email, {
        decision,
      }),
    ),
  ]
  const last = activity.data.at(-1)?.timestamp ?? ''
  const hasMore = activity.pagination.hasMore
  const isHere = ({ at }: TimelineEntry) => (before === null || at < before) && (!hasMore || at >= last)
  const data = [...changes, ...written.filter(isHere)]
    .filter(({ kind }) => kinds.length === 0 || kinds.includes(kind))
    .sort((one, other) => (one.at < other.at ? 1 : -1))
  return { data, next: hasMore ? last : null }
}

const entryOf = (
  id: string,
  kind: TimelineEntry['kind'],
  at: string,
  user_email: string | null,
  rest: Pick<TimelineEntry, 'note' | 'decision'>,
): TimelineEntry => ({
  ...{ id, kind, at, user_email, title: null, via: null },
  ...{ entity_type: kind, entity_id: id, entity_name: null },
  ...rest,
})
