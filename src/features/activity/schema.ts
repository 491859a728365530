import { type Static, Type } from 'typebox'
import { filterParameter, repeatedChoice, repeatedFilter } from '#src/platform/filter/schema.ts'
import {
  Data,
  endpoint,
  filterValue,
  Named,
  Nullable,
  OneOf,
  Page,
  pageQuery,
  Strict,
  Timestamp,
} from '#src/platform/schema/shapes.ts'
import { NamedAboutEntry } from './about-schema.ts'
import { VIAS } from './action-schema.ts'

export const ENTITY_TYPES = [
  'company',
  'dealflow',
  'bulk_action',
  'thesis',
  'person',
  'note',
  'decision',
  'task',
  'file',
] as const

const EntityType = OneOf(ENTITY_TYPES)

export const Activity = Named('Activity', {
  id: Type.String(),
  activity_type: Type.String({
    description:
      'A word such as company_created, company_updated, company_merged, companies_imported, people_imported, notes_imported, deals_imported, thesis_created, thesis_updated, ' +
      'dealflow_created, dealflow_updated, dealflow_stage_changed, person_created, person_updated, person_merged, person_linked, ' +
      'person_link_updated, person_unlinked, note_created, note_updated, note_deleted, note_restored, decision_created, decision_updated, decision_deleted, decision_restored, task_created, task_updated, task_done, task_reopened, task_deleted, task_restored, file_created, file_updated, file_version_added, file_infected, file_deleted or file_restored.',
  }),
  entity_type: EntityType,
  entity_id: Type.String(),
  entity_name: Nullable(
    Type.String({
      description:
        'For a company, a deal, or a decision, the current name of the company; for a thesis, its title; for a person, their name; for a note, its title or its first line; for a task, its title; for a file, its name; null for other types.',
    }),
  ),
  about: Nullable(
    Type.Array(NamedAboutEntry, {
      description: 'What a note, task, or file is about, without records in the trash; null for other types.',
    }),
  ),
  company_id: Nullable(
    Type.String({ description: 'The company that the record is about, if it is about one.' }),
  ),
  company_name: Nullable(
    Type.String({ description: 'The current name of that company, also if it is in the trash.' }),
  ),
  user_email: Nullable(Type.String({ description: 'The user who made the change; null if unknown.' })),
  timestamp: Timestamp,
  metadata: Type.Record(Type.String(), Type.Unknown(), {
    description:
      'For an update, `fields`: the names of the changed fields. For a stage change, `from` and `to`.',
  }),
  changes: Nullable(
    Type.Record(
      Type.String(),
      Type.Object({
        from: Type.Unknown(),
        to: Type.Unknown(),
        truncated: Type.Optional(Type.Boolean({ description: 'Whether a value is shortened.' })),
      }),
      {
        description:
          'The previous and new value of each changed field. Values over 2 KB are shortened in lists, and whole in ' +
          '`GET /api/activity/:id`.',
      },
    ),
  ),
  action_id: Nullable(
    Type.String({
      description: 'The action that it belongs to: ax_…. null for records from before the ledger.',
    }),
  ),
  via: Nullable(OneOf(VIAS)),
})
export type Activity = Static<typeof Activity>

export const activityExample: Activity = {
  id: 'act_01jw3f8x60e8tbmz4k7q2n9r5v',
  activity_type: 'company_created',
  entity_type: 'company',
  entity_id: 'cmp_01jw3f8x5zfq2v5n6k7m8p9r0s',
  entity_name: 'Nordlys Robotics',
  about: null,
  company_id: 'cmp_01jw3f8x5zfq2v5n6k7m8p9r0s',
  company_name: 'Nordlys Robotics',
  user_email: 'ada@example.com',
  timestamp: '2026-03-02T09:30:00.000Z',
  metadata: {},
  changes: null,
  action_id: 'ax_01jw3f8x64m1b3d5f7h9j1k3n5',
  via: 'request',
}

export const ActivityQuery = Strict(
  Type.Object({
    ...pageQuery(),
    activity_type: Type.Optional(
      Type.Unsafe<string | string[]>({
        ...Type.Array(Type.String({ maxLength: 500, 'x-normalize': 'word' }), {
          maxItems: 20,
        }),
        description: 'One or several types, separated by commas.',
      }),
    ),
    entity_type: repeatedChoice(ENTITY_TYPES),
    entity_id: repeatedFilter(),
    user_email: repeatedFilter({ 'x-normalize': 'email', description: 'An email address, in any case.' }),
    action_id: filterValue(),
    filter: filterParameter,
    since: Type.Optional(Type.String({ format: 'date-time', description: 'From this time on.' })),
    until: Type.Optional(Type.String({ format: 'date-time', description: 'Before this time.' })),
  }),
)
export type ActivityQuery = Static<typeof ActivityQuery>

export const listActivity = endpoint('GET', '/api/activity', {
  operationId: 'listActivity',
  'x-action': 'read',
  tags: ['Activity'],
  summary: 'List activity',
  description: 'Newest first.',
  querystring: ActivityQuery,
  response: { 200: Page(Activity, activityExample) },
})

export const getActivity = endpoint('GET', '/api/activity/:id', {
  operationId: 'getActivity',
  'x-action': 'read',
  tags: ['Activity'],
  summary: 'Read an activity record',
  description: 'With whole values, however long.',
  params: Type.Object({ id: Type.String({ description: 'The id of an activity record: act_…' }) }),
  response: { 200: Data(Activity, activityExample) },
})

/** A changed field of a record. */
export const HistoryEntry = Named('HistoryEntry', {
  activity_id: Type.String(),
  timestamp: Timestamp,
  user_email: Nullable(Type.String()),
  via: Nullable(OneOf(VIAS)),
  action_id: Nullable(Type.String()),
  field: Type.String(),
  from: Type.Unknown({ description: 'The previous value.' }),
  to: Type.Unknown({ description: 'The new value.' }),
  truncated: Type.Boolean({ description: 'Whether a value over 2 KB is shortened.' }),
})
type HistoryEntry = Static<typeof HistoryEntry>

const historyExample: HistoryEntry = {
  activity_id: 'act_01jw3f8x60e8tbmz4k7q2n9r5v',
  timestamp: '2026-03-02T09:30:00.000Z',
  user_email: 'ada@example.com',
  via: 'request',
  action_id: 'ax_01jw3f8x64m1b3d5f7h9j1k3n5',
  field: 'status',
  from: 'active',
  to: 'inactive',
  truncated: false,
}

export const HistoryQuery = Strict(
  Type.Object({ ...pageQuery(), field: filterValue({ description: 'The name of a field.' }) }),
)
export type HistoryQuery = Static<typeof HistoryQuery>

/** The endpoint of the history of a type of record. */
export const historyEndpoint = <const Id extends string>(
  url: string,
  operationId: Id,
  tag: string,
  noun: string,
) =>
  endpoint('GET', url, {
    operationId,
    'x-action': 'read',
    tags: [tag],
    summary: `Read the history of a ${noun}`,
    description: 'Each changed field with its previous and new value, newest first.',
    params: Type.Object({ id: Type.String() }),
    querystring: HistoryQuery,
    response: { 200: Page(HistoryEntry, historyExample) },
  })
