import { type Static, Type } from 'typebox'
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

/** What made a change. */
export const VIAS = ['request', 'import', 'bulk_action', 'merge', 'undo', 'restore'] as const
export type Via = (typeof VIAS)[number]

export const ACTION_KINDS = [
  'create',
  'update',
  'bulk_update',
  'import',
  'bulk_action',
  'merge',
  'delete',
  'restore',
  'purge',
  'undo',
] as const
export type ActionKind = (typeof ACTION_KINDS)[number]

const fields = {
  id: Type.String({ description: 'ax_…' }),
  kind: OneOf(ACTION_KINDS),
  user_email: Nullable(Type.String({ description: 'The user who did it; null if unknown.' })),
  created_at: Timestamp,
  records: Type.Integer({ description: 'The number of records that it changed.' }),
  undoable: Type.Boolean({ description: 'Whether it can be undone: it has not been, and is not a purge.' }),
  undoes: Nullable(Type.String({ description: 'The action that this one undoes.' })),
  undone_by: Nullable(Type.String({ description: 'The action that undid this one.' })),
}

export const Action = Named('Action', fields)
export type Action = Static<typeof Action>

export const ActionDetail = Named('ActionDetail', {
  ...fields,
  activity: Type.Record(Type.String(), Type.Integer(), {
    description: 'The number of activity records of each type.',
  }),
  outcome: Nullable(
    Type.Object(
      {
        finished: Type.Boolean({ description: 'false: it is still running.' }),
        reverted: Type.Integer(),
        skipped: Type.Array(
          Type.Object({
            entity_type: Type.String(),
            entity_id: Type.String(),
            field: Nullable(Type.String()),
            reason: Type.String(),
          }),
        ),
        skipped_omitted: Type.Integer(),
      },
      {
        description:
          'For an undo, what it did, as `POST /api/actions/:id/undo` returned it; null for others.',
      },
    ),
  ),
})
export type ActionDetail = Static<typeof ActionDetail>

export const actionExample: Action = {
  id: 'ax_01jw3f8x64m1b3d5f7h9j1k3n5',
  kind: 'bulk_update',
  user_email: 'ada@example.com',
  created_at: '2026-03-02T09:30:00.000Z',
  records: 120,
  undoable: true,
  undoes: null,
  undone_by: null,
}

export const ActionQuery = Strict(
  Type.Object({
    ...pageQuery(),
    kind: Type.Optional({ ...OneOf(ACTION_KINDS), 'x-normalize': 'word' }),
    user_email: filterValue({ description: 'An email address, in any case.' }),
  }),
)
export type ActionQuery = Static<typeof ActionQuery>

export const ActionPath = Type.Object({ id: Type.String({ description: 'The id of an action: ax_…' }) })

const tags = ['History']

export const listActions = endpoint('GET', '/api/actions', {
  operationId: 'listActions',
  'x-action': 'read',
  tags,
  summary: 'List actions',
  description:
    'Newest first. An action is everything that one request, import, bulk action or undo changed. Its id is also in the ' +
    'response header `X-Action-Id` of the request, and in its activity records.',
  querystring: ActionQuery,
  response: { 200: Page(Action, actionExample) },
})

export const getAction = endpoint('GET', '/api/actions/:id', {
  operationId: 'getAction',
  'x-action': 'read',
  tags,
  summary: 'Read an action',
  description: 'With the number of activity records of each type. `GET /api/activity?action_id=` lists them.',
  params: ActionPath,
  response: {
    200: Data(ActionDetail, { ...actionExample, activity: { company_updated: 120 }, outcome: null }),
  },
})
