import { type Static, Type } from 'typebox'
import { NamedAboutEntry } from '#src/features/activity/about-schema.ts'
import {
  Data,
  ErrorAnswer,
  endpoint,
  Named,
  Nullable,
  OneOf,
  Page,
  pageQuery,
  Strict,
  Timestamp,
} from '#src/platform/schema/shapes.ts'

export const TRASHED_TYPES = [
  'company',
  'dealflow',
  'thesis',
  'person',
  'note',
  'decision',
  'task',
  'file',
] as const
export type TrashedType = (typeof TRASHED_TYPES)[number]

/** The answer at the address of a company that is part of another one. */
export const MovedAnswer = ErrorAnswer(
  'The company or person was merged into another one. An undo of the merge ends this.',
  {
    Location: Type.String({
      description: 'The same address with the id of the other record.',
      examples: ['/api/companies/cmp_01jw3f8x5zfq2v5n6k7m8p9r0s'],
    }),
  },
)

export const TrashEntry = Named('TrashEntry', {
  id: Type.String({ description: 'The id of the deleted record.' }),
  entity_type: OneOf(TRASHED_TYPES),
  name: Type.String({
    description:
      'For a company, a deal, or a decision, the name of the company; for a thesis, its title; for a person, their name; for a note, its title or its first line; for a task, its title; for a file, its name.',
  }),
  about: Nullable(
    Type.Array(NamedAboutEntry, {
      description: 'What a note, task, or file is about, without records in the trash; null for other types.',
    }),
  ),
  deals: Type.Integer({ description: 'The number of deals that were deleted with the company.' }),
  user_email: Nullable(Type.String({ description: 'The user who deleted it; null if unknown.' })),
  action_id: Type.String(),
  deleted_at: Timestamp,
  purge_at: Nullable(Type.String({ format: 'date-time', description: 'When it is purged; null: never.' })),
})
export type TrashEntry = Static<typeof TrashEntry>

const example: TrashEntry = {
  id: 'cmp_01jw3f8x5zfq2v5n6k7m8p9r0s',
  entity_type: 'company',
  name: 'Nordlys Robotics',
  about: null,
  deals: 1,
  user_email: 'ada@example.com',
  action_id: 'ax_01jw3f8x64m1b3d5f7h9j1k3n5',
  deleted_at: '2026-03-02T09:30:00.000Z',
  purge_at: '2026-04-01T09:30:00.000Z',
}

export const TrashQuery = Strict(
  Type.Object({
    ...pageQuery(),
    entity_type: Type.Optional({ ...OneOf(TRASHED_TYPES), 'x-normalize': 'word' }),
  }),
)
export type TrashQuery = Static<typeof TrashQuery>

const tags = ['Trash']
/** The path of one record. */
export const idPath = (id: string) => Type.Object({ id: Type.String({ description: id }) })
const trashPath = idPath(
  'The id of the deleted record: cmp_…, df_…, th_…, per_…, note_…, dec_…, tsk_… or file_…',
)
/** The response to a deletion. */
export const gone = { 204: Type.Null({ description: 'Done.' }) }

export const listTrash = endpoint('GET', '/api/trash', {
  operationId: 'listTrash',
  'x-action': 'read',
  tags,
  summary: 'List deleted records',
  description:
    'Last deleted first. Deals and decisions that were deleted with their company, and replies with their note, are not listed ' +
    'themselves, and neither are private notes and files of other people.',
  querystring: TrashQuery,
  response: { 200: Page(TrashEntry, example) },
})

export const Restored = Named('Restored', {
  action_id: Type.String(),
  restored: Type.Integer({
    description: 'The number of restored records, with deals and decisions of companies.',
  }),
})

export const restoreRecord = endpoint('POST', '/api/trash/:id/restore', {
  operationId: 'restoreRecord',
  'x-action': 'write_own',
  tags,
  summary: 'Restore a deleted record',
  description:
    'Brings back the record as it was, with the same ids. A company brings the deals and decisions that were deleted with it, and ' +
    'a note its replies. Members restore their own notes, decisions, tasks, and files; everything else needs the permission to delete.',
  params: trashPath,
  response: {
    200: Data(Restored, { action_id: example.action_id, restored: 2 }),
    409: ErrorAnswer(
      'Another thesis has its code by now, or the company of the deal or decision, or the note of the reply, is in the trash.',
    ),
  },
})

export const purgeRecord = endpoint('DELETE', '/api/trash/:id', {
  operationId: 'purgeRecord',
  'x-action': 'purge',
  tags,
  summary: 'Purge a deleted record',
  description:
    'Permanently removes the record, its deals, decisions and files, and the values in its history. The history still shows who changed it and when.',
  // Files are deleted before the record. What is marked for that must stay marked, even after a crash.
  'x-idempotency': 'resumable',
  params: trashPath,
  response: gone,
})

/** Says what a deletion does. */
export const deleted = (what: string) =>
  `Moves the ${what} to the trash: it is in no list, count, search or export. POST /api/trash/:id/restore brings it back.`
