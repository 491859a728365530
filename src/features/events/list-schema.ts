import { type Static, Type } from 'typebox'
import { VIAS } from '#src/features/activity/action-schema.ts'
import { Activity, activityExample } from '#src/features/activity/schema.ts'
import {
  ErrorAnswer,
  endpoint,
  Named,
  Nullable,
  OneOf,
  Strict,
  Timestamp,
} from '#src/platform/schema/shapes.ts'
import { EVENT_TYPES, LOGGED_KINDS } from './schema.ts'

export const MAX_EVENTS_LIMIT = 500
/** A cursor names the transactions that were running. */
const MAX_CURSOR_LENGTH = 24_000

export const LoggedEvent = Named('LoggedEvent', {
  id: Type.String({ description: 'evt_…. It stays the same whenever the event is read.' }),
  type: OneOf(EVENT_TYPES),
  at: Timestamp,
  action_id: Nullable(Type.String({ description: 'The action that it belongs to; null if there is none.' })),
  user_email: Nullable(Type.String({ description: 'The user who made the change; null if unknown.' })),
  via: Nullable(OneOf(VIAS)),
  data: Type.Object({
    entity: OneOf(LOGGED_KINDS),
    id: Type.String({ description: 'The id of the record.' }),
    record: Nullable(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'The record as its list shows it now; null if it is gone, or in the trash.',
      }),
    ),
    changes: Activity.properties.changes,
  }),
})
export type LoggedEvent = Static<typeof LoggedEvent>

const example: LoggedEvent = {
  id: 'evt_01jw3f9a20e8tbmz4k7q2n9r5v',
  type: 'deal.stage_changed',
  at: '2026-03-02T09:30:00.000Z',
  action_id: activityExample.action_id,
  user_email: 'ada@example.com',
  via: 'request',
  data: {
    entity: 'deal',
    id: 'df_01jw3f8x5zfq2v5n6k7m8p9r0s',
    record: { id: 'df_01jw3f8x5zfq2v5n6k7m8p9r0s', stage: 'term_sheet', status: 'active' },
    changes: { stage: { from: 'due_diligence', to: 'term_sheet' } },
  },
}

export const EventQuery = Strict(
  Type.Object({
    after: Type.Optional(
      Type.String({
        maxLength: MAX_CURSOR_LENGTH,
        description:
          'The `next` of the answer before: the events since then. `now`: no events, only a cursor. Without it, the oldest events that are kept.',
      }),
    ),
    types: Type.Optional(
      Type.Unsafe<string | string[]>({
        ...Type.Array(
          Type.String({
            'x-normalize': 'text',
            enum: [...LOGGED_KINDS.map((kind) => `${kind}.*`), ...EVENT_TYPES],
          }),
          { maxItems: 100 },
        ),
        description:
          'One or several types, separated by commas: `company.created`, `deal.*`. All by default.',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_EVENTS_LIMIT,
        'x-capped': true,
        default: 100,
        description: `Events per answer. Capped at ${MAX_EVENTS_LIMIT}.`,
      }),
    ),
  }),
)
export type EventQuery = Static<typeof EventQuery>

export const listEvents = endpoint('GET', '/api/events/log', {
  operationId: 'listEvents',
  'x-action': 'read',
  tags: ['Activity'],
  summary: 'List events',
  description:
    'Every change of a record, in order, for those who poll. Each creation, update, deletion, restoration, purge, merge, and undo is one ' +
    'event, on whatever path it was made. Events are kept for 30 days. Send `next` as `after` to read on: it misses no event, also none that ' +
    'was committed late, and repeats none. Fewer events than `limit` mean that there are no more at present. Events about private notes are ' +
    'listed only for those who may see them.',
  querystring: EventQuery,
  response: {
    200: Type.Object(
      {
        data: Type.Array(LoggedEvent),
        next: Type.String({ description: 'Where to read on: pass it as `after`.' }),
      },
      {
        title: 'LoggedEvents',
        examples: [{ data: [example], next: 'MTA0MjoxMDQyOg' }],
      },
    ),
    410: ErrorAnswer(
      'The log no longer has all events since the cursor. Get a new cursor with `after=now`, then read all records again.',
    ),
  },
})
