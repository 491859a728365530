import { type Static, Type } from 'typebox'
import { CustomField } from '#src/features/fields/schema.ts'
import { Named, Nullable, OneOf } from '#src/platform/schema/shapes.ts'
import { DATE_ORDERS, DECIMALS, DELIMITERS, ON_CONFLICT, UNITS } from './settings-schema.ts'

/** An import stops reading after this many rows that are not valid CSV. */
export const MAX_MALFORMED_ROWS = 10_000
/** The rows that a report lists of each kind. */
export const MAX_LISTED_ROWS = 1000
export const MAX_PREVIEW_ROWS = 20

/** A column of the file. */
const ImportedColumn = Named('ImportedColumn', {
  name: Type.String({ description: 'The name in the file; the second column called City is "City (2)".' }),
  field: Nullable(Type.String({ description: 'The field that it is imported to; null: ignored.' })),
  samples: Type.Array(Type.String(), { description: 'The first values that are not blank.' }),
})
export type ImportedColumn = Static<typeof ImportedColumn>

/** The kinds of records that a file may hold. */
export const HELD_TYPES = ['company', 'person', 'note', 'deal'] as const
export type HeldType = (typeof HELD_TYPES)[number]
export const HELD_SOURCES = ['HubSpot', 'Affinity', 'Attio', 'LinkedIn', 'Google Contacts', 'export'] as const
export type HeldSource = (typeof HELD_SOURCES)[number]

/** What the column names of a file say about its content. */
export const HeldRecords = Named('HeldRecords', {
  type: OneOf(HELD_TYPES),
  source: Nullable(
    OneOf(HELD_SOURCES, {
      description: 'The tool that the file is from; export: this service; null: it is not known.',
    }),
  ),
  reason: Type.String({ description: 'The columns that show it, as a sentence.' }),
})
export type HeldRecords = Static<typeof HeldRecords>

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
  holds: HeldRecords,
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

export const Listed = { row: Type.Integer(), name: Type.String() }

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

export const omitted = (kind: string) => Type.Integer({ description: `The number of further ${kind}.` })

/** What the reports of all imports have. */
export const commonReport = {
  action_id: Nullable(
    Type.String({
      description: 'POST /api/actions/:id/undo reverts the import. null if nothing was changed.',
    }),
  ),
  created: Type.Integer(),
  updated: Type.Integer({
    description: 'Rows that change a record, which may be one that an earlier row of the file creates.',
  }),
  unchanged: Type.Integer(),
  trashed: Type.Integer({ description: 'The number of rows that matched a record in the trash.' }),
  restored: Type.Integer({ description: 'The number of records that were restored from the trash.' }),
  failed: Type.Integer({ description: 'The number of rows that were skipped; `errors` has the reasons.' }),
  left_out: Type.Integer({
    description:
      'Rows that are no records, such as footers and repeated headers, or that were to be left out.',
  }),
  errors: Type.Array(
    Type.Object({
      row: Type.Integer({ description: 'The row number in a spreadsheet, where the first line is row 1.' }),
      column: Nullable(Type.String()),
      value: Nullable(Type.String({ description: 'The cell; null if the row as a whole is wrong.' })),
      name: Nullable(Type.String({ description: 'The name of the record, if the row has one.' })),
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
  new_rows: Type.Array(Type.Object(Listed), { description: 'The first 1,000 rows that create a record.' }),
  new_rows_omitted: omitted('rows'),
  changes_omitted: omitted('rows'),
  unchanged_rows_omitted: omitted('rows'),
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
  trashed_rows: Type.Array(Type.Object(Listed), {
    description: 'The first 1,000 rows that match a record in the trash.',
  }),
  trashed_rows_omitted: omitted('rows'),
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
}

/** Rows that change a record or leave it as it is, and the preview of a dry run, with the names of one kind of record. */
export const listedRecords = <Id extends string, Values extends string>(id: Id, noun: Values) => {
  const listedId = {
    [id]: Nullable(Type.String({ description: `null: the ${noun} is created by another row.` })),
  }
  return {
    changes: Type.Array(
      Type.Object({
        ...Listed,
        ...(listedId as Record<Id, typeof NullableText>),
        changes: Type.Record(Type.String(), Change),
      }),
      { description: `The first 1,000 rows that change a ${noun}, with old and new noun.` },
    ),
    unchanged_rows: Type.Array(Type.Object({ ...Listed, ...(listedId as Record<Id, typeof NullableText>) })),
    preview: Type.Array(
      Type.Object({
        ...Listed,
        outcome: OneOf(['created', 'updated', 'unchanged']),
        ...({ [noun]: AnyValues } as Record<Values, typeof AnyValues>),
      }),
      { description: 'In a dry run: the first 20 rows as they would be stored, without blank fields.' },
    ),
  }
}

const NullableText = Nullable(Type.String())
const AnyValues = Type.Record(Type.String(), Type.Unknown())

export const ImportReport = Named('ImportReport', {
  ...commonReport,
  ...listedRecords('company_id', 'company'),
  conflicts: Type.Integer({
    description: 'Rows that may be another company. They are also counted by what happens to them.',
  }),
  questions: Type.Array(ImportConflict, { description: 'The first 1,000 rows in conflict.' }),
  questions_omitted: omitted('rows'),
})
export type ImportReport = Static<typeof ImportReport>
