import { type Static, Type } from 'typebox'
import { VIAS } from '#src/features/activity/action-schema.ts'
import { Activity, ENTITY_TYPES } from '#src/features/activity/schema.ts'
import { Decision } from '#src/features/decisions/schema.ts'
import { FileRecord } from '#src/features/files/schema.ts'
import { ListedNote, noteExample } from '#src/features/notes/schema.ts'
import { Task } from '#src/features/tasks/schema.ts'
import { idPath, MovedAnswer } from '#src/features/trash/schema.ts'
import { endpoint, Named, Nullable, OneOf, Strict, Timestamp } from '#src/platform/schema/shapes.ts'

export const TIMELINE_KINDS = [
  'note',
  'call',
  'meeting',
  'email',
  'task',
  'file',
  'decision',
  'deal',
  'change',
  'score',
] as const
export const MAX_TIMELINE_LIMIT = 200
/** Longer bodies of notes are cut. */
export const MAX_SHOWN_BODY_LENGTH = 2000

export const TimelineEntry = Named('TimelineEntry', {
  id: Type.String({
    description:
      'The id of the note, of the task, of the file, of the decision, or of the last activity record. Of an earlier version of a file, the id of the file with the version after a period.',
  }),
  kind: OneOf(TIMELINE_KINDS),
  at: Type.String({
    format: 'date-time',
    description:
      'Of a note, `happened_at`; of a task, `done_at`, or `created_at` while it is open; of a file, when the version was uploaded; of a decision, `decided_at`, or `created_at` while it is open; of changes, the time of the last one, without undos.',
  }),
  user_email: Nullable(
    Type.String({
      description:
        'The author, the user who finished the task or uploaded the version of the file, or the one who made the changes.',
    }),
  ),
  title: Type.String({ description: 'What happened, in a few words.' }),
  via: Nullable(OneOf(VIAS)),
  entity_type: OneOf(ENTITY_TYPES),
  entity_id: Type.String(),
  entity_name: Nullable(Type.String({ description: 'The current name, also of a record in the trash.' })),
  note: Type.Optional(
    Named('TimelineNote', {
      ...ListedNote.properties,
      truncated: Type.Optional(
        Type.Boolean({
          description: `Whether the body is longer than ${MAX_SHOWN_BODY_LENGTH} characters, and cut.`,
        }),
      ),
    }),
  ),
  pinned: Type.Optional(Type.Boolean({ description: 'Whether the note is pinned.' })),
  task: Type.Optional(Task),
  file: Type.Optional(FileRecord),
  file_version: Type.Optional(
    Type.Integer({ description: 'The version of the file that was uploaded. Each version is an entry.' }),
  ),
  decision: Type.Optional(Decision),
  activity_type: Type.Optional(Type.String({ description: 'As in the last of the activity records.' })),
  changes: Type.Optional(
    Type.Unsafe<Static<typeof Activity>['changes']>({
      ...Activity.properties.changes,
      description:
        'For each field, its value before the first change, and after the last one. Fields that have returned to their value are left out. null: no values are recorded. Values over 2 KB are shortened.',
    }),
  ),
  count: Type.Optional(Type.Integer({ description: 'The number of changes, with undos.' })),
  first_at: Type.Optional(Timestamp),
  action_ids: Type.Optional(
    Type.Array(Type.String(), { description: 'The actions that made the changes, oldest first.' }),
  ),
  undone: Type.Optional(Type.Boolean({ description: 'Whether all of the changes have been undone.' })),
})
export type TimelineEntry = Static<typeof TimelineEntry>

const entryExamples: TimelineEntry[] = [
  {
    id: 'act_01jw3f9a20e8tbmz4k7q2n9r5v',
    kind: 'change',
    at: '2026-03-02T10:10:00.000Z',
    user_email: 'ada@example.com',
    title: 'Company updated',
    via: 'request',
    entity_type: 'company',
    entity_id: 'cmp_01jw3f8x5zfq2v5n6k7m8p9r0s',
    entity_name: 'Nordlys Robotics',
    activity_type: 'company_updated',
    changes: { status: { from: 'active', to: 'inactive' } },
    count: 2,
    first_at: '2026-03-02T09:40:00.000Z',
    action_ids: ['ax_01jw3f8x64m1b3d5f7h9j1k3n5', 'ax_01jw3f9a24m1b3d5f7h9j1k3n5'],
    undone: false,
  },
  {
    id: noteExample.id,
    kind: 'call',
    at: noteExample.happened_at,
    user_email: noteExample.author_email,
    title: 'Pricing',
    via: null,
    entity_type: 'note',
    entity_id: noteExample.id,
    entity_name: 'Pricing',
    note: noteExample,
    pinned: false,
  },
]

export const TimelineQuery = Strict(
  Type.Object({
    before: Type.Optional(
      Type.String({ maxLength: 500, description: 'The `next` of the page before: it continues there.' }),
    ),
    kinds: Type.Optional(
      Type.Unsafe<string | string[]>({
        ...Type.Array(Type.String({ 'x-normalize': 'word', enum: [...TIMELINE_KINDS] }), { maxItems: 20 }),
        description: 'One or several kinds, separated by commas. All by default.',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_TIMELINE_LIMIT,
        'x-capped': true,
        default: 50,
        description: `Entries per page. Capped at ${MAX_TIMELINE_LIMIT}.`,
      }),
    ),
  }),
)
export type TimelineQuery = Static<typeof TimelineQuery>

const Timeline = Type.Object(
  {
    data: Type.Array(TimelineEntry),
    next: Nullable(
      Type.String({ description: 'Pass it as `before` to read on. null: there is nothing older.' }),
    ),
  },
  {
    title: 'Timeline',
    examples: [
      {
        data: entryExamples,
        next: null,
      },
    ],
  },
)
export type Timeline = Static<typeof Timeline>

const timelineOf = <const Id extends string, const Url extends string>(
  operationId: Id,
  url: Url,
  tag: string,
  noun: string,
  shows: string,
) =>
  endpoint('GET', url, {
    operationId,
    'x-action': 'read',
    tags: [tag],
    summary: `Read the timeline of a ${noun}`,
    description: `Newest first: ${shows}. Changes of one user to the same record within an hour are one entry.`,
    params: idPath(`The id of a ${noun}.`),
    querystring: TimelineQuery,
    response: { 200: Timeline, 301: MovedAnswer },
  })

export const getCompanyTimeline = timelineOf(
  'getCompanyTimeline',
  '/api/companies/:id/timeline',
  'Companies',
  'company',
  'notes, tasks, and files about the company and its deals, decisions, scores, and changes of the company, its deals, and its people',
)
export const getDealTimeline = timelineOf(
  'getDealTimeline',
  '/api/dealflow/:id/timeline',
  'Dealflow',
  'deal',
  'notes, tasks, and files about the deal, decisions, and changes of the deal',
)
export const getPersonTimeline = timelineOf(
  'getPersonTimeline',
  '/api/people/:id/timeline',
  'People',
  'person',
  'notes about the person or in which they took part, tasks and files about them, and changes of the person',
)
export const getThesisTimeline = timelineOf(
  'getThesisTimeline',
  '/api/theses/:id/timeline',
  'Theses',
  'thesis',
  'notes, tasks, and files about the thesis, and its changes',
)
