import { type Static, Type } from 'typebox'
import { endpoint, Named, Nullable, OneOf, Timestamp } from '#src/platform/schema/shapes.ts'

/** What events are about. */
export const EVENT_KINDS = [
  'company',
  'deal',
  'thesis',
  'person',
  'note',
  'decision',
  'task',
  'file',
  'view',
  'field',
  'tag',
  'stage',
  'reason',
  'bulk_action',
  'import',
  'duplicate',
  'user',
  'notification',
] as const
export type EventKind = (typeof EVENT_KINDS)[number]

/** What happened to a record of each kind, as activity records say it. */
const OCCURRENCES = {
  company: [
    'created',
    'updated',
    'scored',
    'enriched',
    'merged',
    'unmerged',
    'deleted',
    'restored',
    'purged',
  ],
  deal: ['created', 'updated', 'stage_changed', 'deleted', 'restored', 'purged'],
  thesis: ['created', 'updated', 'match_judged', 'deleted', 'restored', 'purged'],
  person: [
    ...['created', 'updated', 'linked', 'link_updated', 'unlinked', 'merged', 'unmerged', 'erased'],
    ...['deleted', 'restored', 'purged'],
  ],
  note: ['created', 'updated', 'deleted', 'restored', 'purged'],
  decision: ['created', 'updated', 'deleted', 'restored', 'purged'],
  task: ['created', 'updated', 'done', 'reopened', 'deleted', 'restored', 'purged'],
  file: ['created', 'updated', 'version_added', 'infected', 'deleted', 'restored', 'purged'],
  bulk_action: ['created', 'completed', 'failed', 'cancelled'],
} as const satisfies Partial<Record<EventKind, readonly string[]>>

export type LoggedKind = keyof typeof OCCURRENCES
/** The kinds of records whose changes the log lists. */
export const LOGGED_KINDS = Object.keys(OCCURRENCES) as LoggedKind[]

/** The types of events in the log: `deal.stage_changed`. */
export const EVENT_TYPES: readonly string[] = Object.entries(OCCURRENCES).flatMap(([kind, words]) =>
  words.map((word) => `${kind}.${word}`),
)

export const ChangeEvent = Named('ChangeEvent', {
  kind: OneOf(EVENT_KINDS),
  id: Nullable(
    Type.String({
      description:
        'The record: its id, the name of a tag, the address of a user. null if there are several, or if the stages or the reasons for decisions were changed.',
    }),
  ),
  count: Type.Integer({
    description: 'The number of changed records. One that changed in several steps may count for each.',
  }),
  action_id: Nullable(
    Type.String({ description: 'The action that changed them; null if they belong to several, or none.' }),
  ),
  user_email: Nullable(Type.String({ description: 'The user of the action.' })),
  at: Timestamp,
})
export type ChangeEvent = Static<typeof ChangeEvent>

const example: ChangeEvent = {
  kind: 'company',
  id: null,
  count: 120,
  action_id: 'ax_01jw3f8x64m1b3d5f7h9j1k3n5',
  user_email: 'ada@example.com',
  at: '2026-03-02T09:30:00.000Z',
}

export const getEvents = endpoint('GET', '/api/events', {
  operationId: 'getEvents',
  'x-action': 'read',
  tags: ['Activity'],
  summary: 'Follow changes',
  description:
    'Server-sent events. The data of an event `changes` is a JSON array of objects {kind, id, count, action_id, user_email, ' +
    `at} that name what has changed: kind is one of ${EVENT_KINDS.join(', ')}. Many changes of one action are one ` +
    'object with their count. The first event carries the changes of the last ten seconds, or with `Last-Event-ID` those ' +
    'since that event. An event `reset` means that too much has changed since then: reload everything. Events about ' +
    'private views and notes are sent only to those who may see them. Event streams share the limits of 10 per user and 500 per process; more are a 429. A ' +
    'stream ends when the credential that opened it expires, or when the session may have been idle for SESSION_IDLE_HOURS.',
  headers: Type.Object({
    'last-event-id': Type.Optional(
      Type.String({ maxLength: 10_000, description: 'The id of the last event that was received.' }),
    ),
  }),
  produces: ['text/event-stream'],
  response: {
    200: Type.String({
      examples: [`id: 1042:1042:\nevent: changes\ndata: ${JSON.stringify([example])}\n\n`],
    }),
  },
})
