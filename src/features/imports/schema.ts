import { Type } from 'typebox'
import { Data, ErrorBody, endpoint } from '#src/platform/schema/shapes.ts'
import { ImportedFile, ImportReport } from './report-schema.ts'
import { ImportQuery } from './settings-schema.ts'

export * from './report-schema.ts'
export * from './settings-schema.ts'

/** Imports at a time. */
export const MAX_IMPORTS_PER_USER = 2
export const MAX_IMPORTS = 8
/** The body of a 400. If the file was read, but no column is recognized as the name, it says how. */
const UnmatchedFile = Type.Object(
  { ...ErrorBody.properties, file: Type.Optional(ImportedFile) },
  {
    description:
      'The file or a setting is invalid. If only the column of names is missing, `file` has the columns to choose from.',
  },
)

export const importCompanies = endpoint('POST', '/api/companies/import', {
  operationId: 'importCompanies',
  'x-action': 'import',
  tags: ['Companies'],
  summary: 'Import companies from a file',
  description:
    'The body is the file, of up to 1,000,000 rows: CSV as text/csv, an Excel workbook under its own media type or as ' +
    'application/octet-stream, either of them also compressed with gzip; or the field `file` of multipart/form-data, after the ' +
    'other fields. A row updates the company that it is evidently about, with the cells that are not blank: the id in an ' +
    'export of this service, or else the same name without contradiction in website, country, and city. Rows with different names ' +
    'are different companies. Nothing is written before the whole file has arrived and been checked. Then the import ' +
    'continues if its client disconnects, and `GET /api/imports` has its progress and report; a dry run ends with its ' +
    'client. The dry run reports exactly what the import does. ' +
    `Each user may run ${MAX_IMPORTS_PER_USER} imports at a time, and the process ${MAX_IMPORTS}; further ones get a 429.`,
  'x-rate-class': 'import',
  'x-idempotency': 'resumable',
  consumes: [
    'text/csv',
    'multipart/form-data',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'application/vnd.ms-excel',
    'application/vnd.oasis.opendocument.spreadsheet',
    'application/gzip',
    'application/octet-stream',
  ],
  querystring: ImportQuery,
  response: {
    200: Data(ImportReport, {
      action_id: 'ax_01jw3f8x64m1b3d5f7h9j1k3n5',
      created: 2317,
      updated: 0,
      unchanged: 0,
      trashed: 0,
      restored: 0,
      failed: 1,
      left_out: 1,
      conflicts: 0,
      errors: [{ row: 14, column: 'name', value: '', name: null, message: 'name is required.' }],
      errors_omitted: 0,
      warnings: [
        {
          column: 'founded',
          message: 'founded_year must be a year, such as 2019.',
          left_blank: true,
          count: 2,
          examples: [{ row: 17, value: 'soon' }],
        },
      ],
      bad_cells: [],
      bad_cells_omitted: 2,
      new_rows: [{ row: 2, name: 'Nordlys Robotics' }],
      new_rows_omitted: 2316,
      changes: [],
      changes_omitted: 0,
      unchanged_rows: [],
      unchanged_rows_omitted: 0,
      questions: [],
      questions_omitted: 0,
      left_out_rows: [
        { row: 2321, text: '© Example Data 2026', reason: 'The row looks like a footer.', can_include: true },
      ],
      left_out_rows_omitted: 0,
      trashed_rows: [],
      trashed_rows_omitted: 0,
      preview: [],
      file: {
        kind: 'text',
        encoding: 'utf-8',
        is_encoding_certain: true,
        delimiter: ',',
        sheet: null,
        sheets: [],
        header_row: 1,
        columns: [
          { name: 'name', field: 'name', samples: ['Nordlys Robotics'] },
          { name: 'batch', field: null, samples: ['W12'] },
        ],
        first_rows: [{ row: 1, cells: ['name', 'batch'] }],
        warnings: [],
        holds: { type: 'company', source: null, reason: 'The column name shows it.' },
      },
      formats: [],
      stopped_at_row: null,
      columns: { name: ['name'] },
      ignored_columns: ['batch'],
      new_fields: [],
      dry_run: false,
    }),
    400: UnmatchedFile,
  },
})
