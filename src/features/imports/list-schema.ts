import { type Static, Type } from 'typebox'
import {
  Data,
  endpoint,
  Named,
  Nullable,
  OneOf,
  Page,
  pageQuery,
  Strict,
  Timestamp,
} from '#src/platform/schema/shapes.ts'
import { RecordImportReport } from './record-schema.ts'
import { HELD_TYPES, ImportReport } from './schema.ts'

export const IMPORT_STATES = ['running', 'completed', 'interrupted'] as const

const fields = {
  id: Type.String({ description: 'imp_…' }),
  type: OneOf(HELD_TYPES, { description: 'What the file holds.' }),
  state: OneOf(IMPORT_STATES, {
    description:
      'interrupted: the import stopped before the end of the file. Records imported by then are kept.',
  }),
  user_email: Nullable(Type.String()),
  file_name: Nullable(Type.String()),
  file_bytes: Nullable(Type.Integer({ description: 'The size of the file; null if it was not announced.' })),
  bytes_read: Type.Integer(),
  created: Type.Integer(),
  updated: Type.Integer(),
  unchanged: Type.Integer(),
  trashed: Type.Integer(),
  restored: Type.Integer(),
  failed: Type.Integer(),
  left_out: Type.Integer(),
  conflicts: Type.Integer(),
  action_id: Nullable(
    Type.String({
      description: 'POST /api/actions/:id/undo reverts the import. null if nothing was changed.',
    }),
  ),
  undone_by: Nullable(Type.String({ description: 'The action that undid it.' })),
  error: Nullable(Type.String({ description: 'Why it was interrupted.' })),
  started_at: Timestamp,
  finished_at: Nullable(Timestamp),
}

export const Import = Named('Import', fields)
export type Import = Static<typeof Import>

export const ImportDetail = Named('ImportDetail', {
  ...fields,
  report: Type.Union([ImportReport, RecordImportReport, Type.Null()]),
})

const example: Import = {
  id: 'imp_01jw3f8x64m1b3d5f7h9j1k3n5',
  type: 'company',
  state: 'completed',
  user_email: 'ada@example.com',
  file_name: 'companies.csv',
  file_bytes: 1_482_201,
  bytes_read: 1_482_201,
  created: 2317,
  updated: 0,
  unchanged: 0,
  trashed: 0,
  restored: 0,
  failed: 2,
  left_out: 1,
  conflicts: 0,
  action_id: 'ax_01jw3f8x64m1b3d5f7h9j1k3n5',
  undone_by: null,
  error: null,
  started_at: '2026-03-02T09:30:00.000Z',
  finished_at: '2026-03-02T09:30:04.000Z',
}

export const ImportListQuery = Strict(Type.Object({ ...pageQuery() }))

export const listImports = endpoint('GET', '/api/imports', {
  operationId: 'listImports',
  'x-action': 'read',
  tags: ['Companies'],
  summary: 'List imports',
  description:
    'Imports by all users, newest first, including running ones. Dry runs, and imports of notes by others, are left ' +
    'out. An import whose process was killed is interrupted after about half a minute.',
  querystring: ImportListQuery,
  response: { 200: Page(Import, example) },
})

export const getImport = endpoint('GET', '/api/imports/:id', {
  operationId: 'getImport',
  'x-action': 'read',
  tags: ['Companies'],
  summary: 'Read an import',
  description: 'With its report, once it is completed. Only who ran an import of notes can read it.',
  params: Type.Object({ id: Type.String({ description: 'The id of an import: imp_…' }) }),
  response: { 200: Data(ImportDetail, { ...example, report: null }) },
})
