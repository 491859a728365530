import { type Static, Type } from 'typebox'
import {
  CUSTOM_FIELD_TYPES,
  CustomField,
  MAX_FIELD_LABEL_LENGTH,
} from '#src/features/custom-fields/schema.ts'
import { Data, ErrorBody, endpoint, Named, Nullable, OneOf, Strict } from '#src/platform/schema/shapes.ts'

/** Imports at a time. */
export const MAX_IMPORTS_PER_USER = 2
export const MAX_IMPORTS = 8
export const MAX_MAPPING_LENGTH = 20_000
export const MAX_FORMATS_LENGTH = 20_000
/** In a form. */
export const MAX_REPAIRS_LENGTH = 500_000
export const MAX_FILE_NAME_LENGTH = 255
/** An import stops reading after this many rows that are not valid CSV. */
export const MAX_MALFORMED_ROWS = 10_000
/** The rows that a report lists of each kind. */
export const MAX_LISTED_ROWS = 1000
export const MAX_PREVIEW_ROWS = 20

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

/** What happens to a row that may be a company of another name, city, or website. */
export const ON_CONFLICT = ['keep_apart', 'update', 'skip'] as const
export type OnConflict = (typeof ON_CONFLICT)[number]

/** What happens to a row with an optional cell that cannot be read. */
export const BAD_CELLS = ['blank', 'fail'] as const
export type BadCells = (typeof BAD_CELLS)[number]

export const DELIMITERS = [',', ';', '\t', '|'] as const
export const DECIMALS = ['.', ','] as const
export const UNITS = ['one', 'thousand', 'million', 'billion'] as const
export type Unit = (typeof UNITS)[number]
export const DATE_ORDERS = ['dmy', 'mdy', 'ymd'] as const
export type DateOrder = (typeof DATE_ORDERS)[number]

const CurrencyCode = Type.String({ pattern: '^[A-Z]{3}$', description: 'An ISO 4217 code, such as USD.' })

/** How a person says that the values of a column are written. What is left out is decided from the values. */
export const FormatChoice = Strict(
  Type.Object({
    decimal: Type.Optional(OneOf(DECIMALS, { description: 'The decimal sign.' })),
    unit: Type.Optional(OneOf(UNITS, { description: 'What a number without a unit of its own counts.' })),
    currency: Type.Optional(CurrencyCode),
    rates: Type.Optional(
      Type.Record(
        Type.String({ pattern: '^[A-Z]{3}$' }),
        Type.Number({ exclusiveMinimum: 0, maximum: 1e6 }),
        {
          description: 'How many euros one unit of each currency is worth: {"USD": 0.92}.',
        },
      ),
    ),
    date_order: Type.Optional(OneOf(DATE_ORDERS, { description: 'The order of day, month, and year.' })),
  }),
)
export type FormatChoice = Static<typeof FormatChoice>

export const FormatChoices = Type.Record(Type.String(), FormatChoice)
/** By the name of the column. */
export type FormatChoices = Static<typeof FormatChoices>

export const ImportRepairs = Strict(
  Type.Object({
    cells: Type.Optional(
      Type.Array(
        Strict(
          Type.Object({ row: Type.Integer({ minimum: 1 }), column: Type.String(), value: Type.String() }),
        ),
        { maxItems: 5000, description: 'Cells to read as if the file had this value.' },
      ),
    ),
    exclude: Type.Optional(
      Type.Array(Type.Integer({ minimum: 1 }), { maxItems: 5000, description: 'Rows to leave out.' }),
    ),
    include: Type.Optional(
      Type.Array(Type.Integer({ minimum: 1 }), {
        maxItems: 5000,
        description: 'Rows to import although they look like a footer or repeat the column names.',
      }),
    ),
    conflicts: Type.Optional(
      Type.Array(Strict(Type.Object({ row: Type.Integer({ minimum: 1 }), decision: OneOf(ON_CONFLICT) })), {
        maxItems: 5000,
        description: 'Rows that are handled differently from `on_conflict`.',
      }),
    ),
  }),
)
export type ImportRepairs = Static<typeof ImportRepairs>

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
    on_conflict: Type.Optional(
      OneOf(ON_CONFLICT, {
        default: 'keep_apart',
        description:
          'What happens to a row in conflict: its website belongs to a company with another name, or its name belongs to ' +
          'companies with another city or website, or to several companies. It becomes a company of its own ' +
          '(keep_apart), updates that company (update), or is left out (skip).',
      }),
    ),
    identify_by: Type.Optional(
      Type.String({
        maxLength: 100,
        description:
          'A custom field that identifies companies, such as the id in another tool: custom.crm_id. Rows with the same value are ' +
          'one company, whatever its name, and rows with other values are others.',
      }),
    ),
    bad_cells: Type.Optional(
      OneOf(BAD_CELLS, {
        default: 'blank',
        description:
          'What happens to a cell that cannot be read: it is left blank with a warning, or its row fails. A row without a ' +
          'name always fails.',
      }),
    ),
    encoding: Type.Optional(
      Type.String({
        maxLength: 40,
        description: 'The encoding of the text, such as windows-1251. Detected by default.',
      }),
    ),
    delimiter: Type.Optional(
      OneOf(DELIMITERS, { description: 'What separates cells. Detected by default.' }),
    ),
    header_row: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 1000,
        description:
          'The row with the column names, as a spreadsheet counts; 0 if there is none. Detected by default. Rows above it ' +
          'are left out. Without column names, columns are called Column 1, Column 2, …',
      }),
    ),
    sheet: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'The sheet of a workbook. By default the first one with rows.',
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
          'JSON that maps fields to columns. Map a field to null to leave it out: {"name": "Firm", "status": null}. A list maps ' +
          'several columns: {"tags": ["Tags", "Tags (2)"]}; the first that is not blank counts. Custom fields ' +
          'are `custom.<key>`. {"custom.batch": {"column": "Batch"}} creates the field, and its options, if there is none with this ' +
          'key; `label` and `type` are optional.',
      }),
    ),
    formats: Type.Optional(
      Type.String({
        maxLength: MAX_FORMATS_LENGTH,
        description:
          'JSON that says how the values of columns are written: {"Revenue": {"decimal": ",", "unit": "million", "currency": ' +
          '"USD", "rates": {"USD": 0.92}}, "First met": {"date_order": "mdy"}}. What is left out is decided from the values of the column.',
      }),
    ),
    repairs: Type.Optional(
      Type.String({
        maxLength: MAX_REPAIRS_LENGTH,
        description:
          'JSON with changes to the file: {"cells": [{"row": 7, "column": "Employees", "value": "50"}], "exclude": [12], ' +
          '"conflicts": [{"row": 9, "decision": "update"}]}. As the field of a form, it may be longer than an address.',
      }),
    ),
  }),
)
export type ImportQuery = Static<typeof ImportQuery>

/** A column of the file. */
const ImportedColumn = Named('ImportedColumn', {
  name: Type.String({ description: 'The name in the file; the second column called City is "City (2)".' }),
  field: Nullable(Type.String({ description: 'The field that it is imported to; null: ignored.' })),
  samples: Type.Array(Type.String(), { description: 'The first values that are not blank.' }),
})
export type ImportedColumn = Static<typeof ImportedColumn>

/** How the file was read. */
export const ImportedFile = Named('ImportedFile', {
  kind: OneOf(['text', 'workbook']),
  encoding: Nullable(Type.String({ description: 'The encoding of the text; null for a workbook.' })),
  is_encoding_certain: Type.Boolean({
    description: 'Whether the encoding is stated by the file, or its bytes are valid in no other likely one.',
  }),
  delimiter: Nullable(OneOf(DELIMITERS)),
  sheet: Nullable(Type.String()),
  sheets: Type.Array(Type.String()),
  header_row: Type.Integer({ description: 'The row with the column names; 0: none was found.' }),
  columns: Type.Array(ImportedColumn),
  first_rows: Type.Array(Type.Object({ row: Type.Integer(), cells: Type.Array(Type.String()) }), {
    description: 'The first rows as they are in the file, from which a person can choose the header.',
  }),
  warnings: Type.Array(Type.String(), { description: 'What looks wrong with the file as a whole.' }),
})
export type ImportedFile = Static<typeof ImportedFile>

/** How the values of a column were read. */
export const ColumnFormat = Named('ColumnFormat', {
  column: Type.String(),
  field: Type.String(),
  kind: OneOf(['number', 'amount', 'date']),
  decimal: Nullable(OneOf(DECIMALS)),
  unit: Nullable(OneOf(UNITS)),
  currency: Nullable(Type.String({ description: 'The currency of cells that name none.' })),
  currencies: Type.Array(Type.String(), { description: 'Other currencies than euros in the cells.' }),
  rates: Type.Record(Type.String(), Type.Number()),
  date_order: Nullable(OneOf(DATE_ORDERS)),
  examples: Type.Array(Type.Object({ row: Type.Integer(), cell: Type.String(), value: Type.String() }), {
    description: 'Up to three values as they are in the file and as they are stored; blank: not stored.',
  }),
  question: Nullable(
    OneOf(['decimal', 'currency', 'date_order'], {
      description: 'What the values leave open. `formats` answers it.',
    }),
  ),
})
export type ColumnFormat = Static<typeof ColumnFormat>

const Change = Type.Object({
  from: Type.Unknown({ description: 'The value before; long ones are shortened.' }),
  to: Type.Unknown(),
})

const Listed = { row: Type.Integer(), name: Type.String() }

/** A company that a row may be. */
const ConflictingCompany = Type.Object({
  id: Nullable(Type.String({ description: 'null: it is a new company of this file.' })),
  row: Nullable(Type.Integer({ description: 'Its first row in this file.' })),
  name: Type.String(),
  website: Nullable(Type.String()),
  country: Nullable(Type.String()),
  hq_city: Nullable(Type.String()),
})

export const CONFLICT_KINDS = ['website', 'name', 'ambiguous'] as const
export type ConflictKind = (typeof CONFLICT_KINDS)[number]

export const ImportConflict = Named('ImportConflict', {
  ...Listed,
  website: Nullable(Type.String()),
  country: Nullable(Type.String()),
  hq_city: Nullable(Type.String()),
  kind: OneOf(CONFLICT_KINDS, {
    description:
      'website: the same website, another name. name: the same name, another city or website. ambiguous: several ' +
      'companies have this name.',
  }),
  message: Type.String(),
  companies: Type.Array(ConflictingCompany, { description: 'The companies that the row may be, up to 5.' }),
  decision: OneOf(ON_CONFLICT),
})
export type ImportConflict = Static<typeof ImportConflict>

const omitted = (kind: string) => Type.Integer({ description: `The number of further ${kind}.` })

export const ImportReport = Named('ImportReport', {
  action_id: Nullable(
    Type.String({
      description: 'POST /api/actions/:id/undo reverts the import. null if nothing was changed.',
    }),
  ),
  created: Type.Integer(),
  updated: Type.Integer({
    description: 'Rows that change a company, which may be one that an earlier row of the file creates.',
  }),
  unchanged: Type.Integer(),
  trashed: Type.Integer({ description: 'The number of rows that matched a company in the trash.' }),
  restored: Type.Integer({ description: 'The number of companies that were restored from the trash.' }),
  failed: Type.Integer({ description: 'The number of rows that were skipped; `errors` has the reasons.' }),
  left_out: Type.Integer({
    description:
      'Rows that are no companies, such as footers and repeated headers, or that were to be left out.',
  }),
  conflicts: Type.Integer({
    description: 'Rows that may be another company. They are also counted by what happens to them.',
  }),
  errors: Type.Array(
    Type.Object({
      row: Type.Integer({ description: 'The row number in a spreadsheet, where the first line is row 1.' }),
      column: Nullable(Type.String()),
      value: Nullable(Type.String({ description: 'The cell; null if the row as a whole is wrong.' })),
      name: Nullable(Type.String({ description: 'The name of the company, if the row has one.' })),
      message: Type.String(),
    }),
    { description: 'The first 1,000 errors. A row may have several.' },
  ),
  errors_omitted: omitted('errors'),
  warnings: Type.Array(
    Type.Object({
      column: Nullable(Type.String()),
      message: Type.String({ description: 'What is wrong, and what is allowed.' }),
      left_blank: Type.Boolean({
        description: 'Whether the cells could not be read; else they were adjusted.',
      }),
      count: Type.Integer({ description: 'The number of cells.' }),
      examples: Type.Array(Type.Object({ row: Type.Integer(), value: Type.String() })),
    }),
    { description: 'Cells that were left blank or changed, grouped, the largest group first.' },
  ),
  bad_cells: Type.Array(
    Type.Object({ ...Listed, column: Type.String(), value: Type.String(), message: Type.String() }),
    { description: 'The first 1,000 cells that cannot be read and are left blank.' },
  ),
  bad_cells_omitted: omitted('cells'),
  new_rows: Type.Array(Type.Object(Listed), { description: 'The first 1,000 rows that create a company.' }),
  new_rows_omitted: omitted('rows'),
  changes: Type.Array(
    Type.Object({
      ...Listed,
      company_id: Nullable(Type.String({ description: 'null: the company is created by another row.' })),
      changes: Type.Record(Type.String(), Change),
    }),
    { description: 'The first 1,000 rows that change a company, with old and new values.' },
  ),
  changes_omitted: omitted('rows'),
  unchanged_rows: Type.Array(Type.Object({ ...Listed, company_id: Nullable(Type.String()) })),
  unchanged_rows_omitted: omitted('rows'),
  questions: Type.Array(ImportConflict, { description: 'The first 1,000 rows in conflict.' }),
  questions_omitted: omitted('rows'),
  left_out_rows: Type.Array(
    Type.Object({
      row: Type.Integer(),
      text: Type.String(),
      reason: Type.String(),
      can_include: Type.Boolean({ description: 'Whether `include` in `repairs` imports the row.' }),
    }),
    { description: 'The first 1,000 rows that are left out, with the reason.' },
  ),
  left_out_rows_omitted: omitted('rows'),
  preview: Type.Array(
    Type.Object({
      ...Listed,
      outcome: OneOf(['created', 'updated', 'unchanged', 'trashed']),
      company: Type.Record(Type.String(), Type.Unknown()),
    }),
    { description: 'In a dry run: the first 20 rows as they would be stored, without blank fields.' },
  ),
  file: ImportedFile,
  formats: Type.Array(ColumnFormat),
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
    'The body is the file, of any size: CSV as text/csv, an Excel workbook under its own media type or as ' +
    'application/octet-stream, either of them also compressed with gzip; or the field `file` of multipart/form-data, after the ' +
    'other fields. A row updates the company that it is evidently about, with the cells that are not blank: the id in an ' +
    'export of this service, or else the same name without contradiction in website, country, and city. Rows with different names ' +
    'are different companies. Nothing is written before the whole file has arrived and been checked. Then the import ' +
    'continues if its client disconnects, and `GET /api/imports` has its progress and report; a dry run ends with its ' +
    'client. The dry run reports exactly what the import does. ' +
    `Each user may run ${MAX_IMPORTS_PER_USER} imports at a time, and the process ${MAX_IMPORTS}; further ones get a 429.`,
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
