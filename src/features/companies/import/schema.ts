import { type Static, Type } from 'typebox'
import {
  CUSTOM_FIELD_TYPES,
  CustomField,
  MAX_FIELD_LABEL_LENGTH,
} from '#src/features/custom-fields/schema.ts'
import { Data, endpoint, Named, Nullable, OneOf, Strict } from '#src/platform/schema/shapes.ts'

/** Imports at a time. */
export const MAX_IMPORTS_PER_USER = 2
export const MAX_IMPORTS = 8
export const MAX_MAPPING_LENGTH = 20_000
export const MAX_FILE_NAME_LENGTH = 255
/** An import stops reading after this many rows that are not valid CSV. */
export const MAX_MALFORMED_ROWS = 10_000

/** A column whose custom field, and whose options, are created if they do not exist. */
export const FieldMapping = Strict(
  Type.Object({
    column: Type.String(),
    label: Type.Optional(Type.String({ minLength: 1, maxLength: MAX_FIELD_LABEL_LENGTH, pattern: '\\S' })),
    type: Type.Optional(OneOf(CUSTOM_FIELD_TYPES)),
  }),
)
export type FieldMapping = Static<typeof FieldMapping>

/** What happens to a row that matches a company in the trash. */
export const ON_TRASHED = ['skip', 'restore'] as const

export const ImportQuery = Strict(
  Type.Object({
    dry_run: Type.Optional(
      Type.Boolean({ default: false, description: 'Report what would happen without writing anything.' }),
    ),
    on_trashed: Type.Optional(
      OneOf(ON_TRASHED, {
        default: 'skip',
        description:
          'What happens to a row that matches a company in the trash: skip the row, or restore the company.',
      }),
    ),
    file_name: Type.Optional(
      Type.String({
        maxLength: MAX_FILE_NAME_LENGTH,
        description:
          'The name of the file, for `GET /api/imports`. In a form, the name of its file is the default.',
      }),
    ),
    mapping: Type.Optional(
      Type.String({
        maxLength: MAX_MAPPING_LENGTH,
        description:
          'JSON that maps fields to columns. Map a field to null to leave it out: {"name": "Firm", "status": null}. Custom fields ' +
          'are `custom.<key>`. {"custom.batch": {"column": "Batch"}} creates the field, and its options, if there is none with this ' +
          'key; `label` and `type` are optional.',
      }),
    ),
  }),
)
export type ImportQuery = Static<typeof ImportQuery>

export const ImportReport = Named('ImportReport', {
  action_id: Nullable(
    Type.String({
      description: 'POST /api/actions/:id/undo reverts the import. null if nothing was changed.',
    }),
  ),
  created: Type.Integer(),
  updated: Type.Integer(),
  unchanged: Type.Integer(),
  trashed: Type.Integer({ description: 'The number of rows that matched a company in the trash.' }),
  restored: Type.Integer({ description: 'The number of companies that were restored from the trash.' }),
  failed: Type.Integer({ description: 'The number of rows that were skipped; `errors` has the reasons.' }),
  errors: Type.Array(
    Type.Object({
      row: Type.Integer({ description: 'The row number in a spreadsheet, where the header is row 1.' }),
      column: Nullable(Type.String()),
      message: Type.String(),
    }),
    { description: 'The first 1,000 errors.' },
  ),
  errors_omitted: Type.Integer({ description: 'The number of further errors.' }),
  stopped_at_row: Nullable(
    Type.Integer({
      description:
        `The row at which the import stopped because ${MAX_MALFORMED_ROWS.toLocaleString('en')} rows were not valid ` +
        'CSV; null if it read the whole file.',
    }),
  ),
  columns: Type.Record(Type.String(), Type.Array(Type.String()), {
    description: 'The columns that each recognized field was read from, in order of preference.',
  }),
  ignored_columns: Type.Array(Type.String()),
  new_fields: Type.Array(CustomField, {
    description:
      'The custom fields that the import created, or in a dry run would create, with the options so far.',
  }),
  dry_run: Type.Boolean(),
})
export type ImportReport = Static<typeof ImportReport>

export const importCompanies = endpoint('POST', '/api/companies/import', {
  operationId: 'importCompanies',
  'x-action': 'import',
  tags: ['Companies'],
  summary: 'Import companies from a CSV file',
  description:
    'The body is the file, of any size, as text/csv or as the field `file` of multipart/form-data. A row matches an existing ' +
    'company by its website, or by its name and country if it has no website. It then updates that company with the cells ' +
    'that are not blank. Rows are written in batches as the file is read. Once the whole body has arrived, the import ' +
    'continues if its client disconnects, and `GET /api/imports` has its progress and report; a dry run ends with its ' +
    'client. If the client disconnects earlier, the import is interrupted. To resume it, import the same ' +
    `file again. Each user may run ${MAX_IMPORTS_PER_USER} imports at a time, and the process ${MAX_IMPORTS}; further ones get a 429.`,
  'x-rate-class': 'import',
  'x-idempotency': 'resumable',
  consumes: ['text/csv', 'multipart/form-data'],
  querystring: ImportQuery,
  response: {
    200: Data(ImportReport, {
      action_id: 'ax_01jw3f8x64m1b3d5f7h9j1k3n5',
      created: 2317,
      updated: 0,
      unchanged: 0,
      trashed: 0,
      restored: 0,
      failed: 2,
      errors: [{ row: 14, column: 'founded', message: 'founded_year must be a year, not "soon".' }],
      errors_omitted: 0,
      stopped_at_row: null,
      columns: { name: ['name'], activity_description: ['description', 'one_liner'] },
      ignored_columns: ['batch'],
      new_fields: [],
      dry_run: false,
    }),
  },
})
