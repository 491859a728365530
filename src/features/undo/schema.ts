import { type Static, Type } from 'typebox'
import { ActionPath, actionExample } from '#src/features/activity/action-schema.ts'
import { TRASHED_TYPES } from '#src/features/trash/schema.ts'
import { Data, ErrorAnswer, endpoint, Named, Nullable, OneOf, Strict } from '#src/platform/schema/shapes.ts'

export const SKIP_REASONS = [
  'changed_since',
  'in_trash',
  'purged',
  'code_taken',
  'company_missing',
  'thesis_missing',
  'record_missing',
  'merged',
  'survivor_missing',
  'field_missing',
  'value_not_allowed',
  'built_on',
  'too_many_records',
  'not_yours',
] as const
export type SkipReason = (typeof SKIP_REASONS)[number]

/** An undo lists at most this many skipped fields. */
export const MAX_SKIPPED = 10_000

const Skipped = Type.Object({
  entity_type: OneOf(TRASHED_TYPES),
  entity_id: Type.String(),
  field: Nullable(Type.String({ description: 'null: the whole record.' })),
  reason: OneOf(SKIP_REASONS, {
    description:
      'changed_since: someone has changed the field since. in_trash, purged: the record is there, or gone. code_taken: another ' +
      'thesis has the code. company_missing, thesis_missing, record_missing: what it refers to is in the trash or gone. merged: the record is part of another ' +
      'one. survivor_missing: the record that it was merged into is in the trash or merged. field_missing: the custom field ' +
      'is deleted. value_not_allowed: the custom field no longer allows the previous value. built_on: other people have changed ' +
      'the record, added to it, linked it or written notes about it since, so only the permission to delete may remove it. too_many_records: removing the ' +
      'thesis would change more than 1,000 companies, which needs the permission to delete. not_yours: only the author of the note may change its ' +
      'visibility, and its mentions while it is private, and only the user who voted their vote.',
  }),
})
export type Skipped = Static<typeof Skipped>

export const Undone = Named('Undone', {
  action_id: Nullable(Type.String({ description: 'The action that the undo is; null for a dry run.' })),
  reverted: Type.Integer({
    description: 'The number of records that were changed back, deleted or restored.',
  }),
  skipped: Type.Array(Skipped, {
    description: `What stays as it is, up to ${MAX_SKIPPED.toLocaleString('en')} entries.`,
  }),
  skipped_omitted: Type.Integer({ description: 'The number of further entries.' }),
})
export type Undone = Static<typeof Undone>

const UndoBody = Strict(
  Type.Object(
    {
      dry_run: Type.Optional(
        Type.Boolean({ default: false, description: 'Report what would happen without changing anything.' }),
      ),
    },
    { title: 'Undo', examples: [{ dry_run: false }] },
  ),
)

export const undoAction = endpoint('POST', '/api/actions/:id/undo', {
  operationId: 'undoAction',
  'x-action': 'write',
  tags: ['History'],
  summary: 'Undo an action',
  description:
    'Restores previous values, moves created records to the trash, restores deleted ones and splits merged ones. Fields that have changed since ' +
    'are skipped. An undo needs the permissions of what it does: undoing an own creation is allowed, except for records that others have ' +
    'built on. Undoing the action of another user, a deletion, a restoration, or a merge needs the permission to delete, and more ' +
    'than 1,000 records that of changing so many, except for an own import. The undo is an action that can be undone. A large undo that is interrupted is continued in the background.',
  'x-idempotency': 'resumable',
  params: ActionPath,
  body: UndoBody,
  response: {
    200: Data(Undone, {
      action_id: actionExample.id,
      reverted: 119,
      skipped: [
        {
          entity_type: 'company',
          entity_id: 'cmp_01jw3f8x5zfq2v5n6k7m8p9r0s',
          field: 'status',
          reason: 'changed_since',
        },
      ],
      skipped_omitted: 0,
    }),
    409: ErrorAnswer(
      'The action has been undone, is a purge, is a bulk action that is running, or merged companies into one that is in the trash or merged.',
    ),
  },
})
