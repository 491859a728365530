import { type Static, Type } from 'typebox'
import {
  endpoint,
  filterValue,
  Named,
  Nullable,
  OneOf,
  Page,
  pageQuery,
  Strict,
  Timestamp,
  wordFilter,
} from '#src/platform/schema/shapes.ts'

export const ENTITY_TYPES = ['company', 'dealflow', 'bulk_action', 'thesis'] as const

const EntityType = OneOf(ENTITY_TYPES)

export const Activity = Named('Activity', {
  id: Type.String(),
  activity_type: Type.String({
    description:
      'A word such as company_created, company_updated, companies_imported, thesis_created, thesis_updated, ' +
      'dealflow_created, dealflow_updated or dealflow_stage_changed.',
  }),
  entity_type: EntityType,
  entity_id: Type.String(),
  entity_name: Nullable(
    Type.String({
      description: 'Current name of the company, also for a deal; title of the thesis; null for other types.',
    }),
  ),
  company_id: Nullable(
    Type.String({ description: 'The company that the record is about, if it is about one.' }),
  ),
  user_email: Nullable(Type.String({ description: 'The user who made the change; null if unknown.' })),
  timestamp: Timestamp,
  metadata: Type.Record(Type.String(), Type.Unknown(), {
    description:
      'For an update, `fields`: the names of the changed fields. For a stage change, `from` and `to`.',
  }),
})
export type Activity = Static<typeof Activity>

export const activityExample: Activity = {
  id: 'act_01jw3f8x60e8tbmz4k7q2n9r5v',
  activity_type: 'company_created',
  entity_type: 'company',
  entity_id: 'cmp_01jw3f8x5zfq2v5n6k7m8p9r0s',
  entity_name: 'Nordlys Robotics',
  company_id: 'cmp_01jw3f8x5zfq2v5n6k7m8p9r0s',
  user_email: 'ada@example.com',
  timestamp: '2026-03-02T09:30:00.000Z',
  metadata: {},
}

export const ActivityQuery = Strict(
  Type.Object({
    ...pageQuery(),
    activity_type: wordFilter(),
    entity_type: Type.Optional({ ...EntityType, 'x-normalize': 'word' }),
    entity_id: filterValue(),
    user_email: filterValue({ description: 'An email address, in any case.' }),
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
