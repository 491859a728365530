import { type Static, Type } from 'typebox'
import { CUSTOM_FIELD_TYPES, MAX_FIELD_LABEL_LENGTH } from '#src/features/fields/schema.ts'
import { OneOf, Strict, Word } from '#src/platform/schema/shapes.ts'

export const MAX_MAPPING_LENGTH = 20_000
export const MAX_FORMATS_LENGTH = 20_000
export const MAX_STAGES_LENGTH = 20_000
/** In a form. */
export const MAX_REPAIRS_LENGTH = 500_000
export const MAX_FILE_NAME_LENGTH = 255
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

/** How the values of a column are written, as a person chose. The values decide the rest. */
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

/** The stages of deals by the words of a file. */
export const StageChoices = Type.Record(
  Type.String({ minLength: 1 }),
  Type.String({ ...Word, description: 'A stage: a lower_snake_case word.' }),
)
export type StageChoices = Static<typeof StageChoices>

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
          'A custom field of the type text that identifies companies, such as the id in another tool: custom.crm_id. Rows with the same value are ' +
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
