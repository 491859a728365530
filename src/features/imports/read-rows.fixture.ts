import type { CustomField, CustomFieldType } from '#src/features/fields/schema.ts'
import type { CustomFieldMap } from '#src/features/fields/values.ts'
import { ImportColumns, type ImportMapping } from './columns/columns.ts'
import { CustomColumns } from './columns/custom-columns.ts'
import { FormatSurvey } from './formats/format-survey.ts'
import { IdentityReader } from './rows/identity-reader.ts'
import { RowReader } from './rows/row-reader.ts'
import type { FormatChoices } from './schema.ts'

const users = {
  emails: new Set(['ada@example.com']),
  byName: new Map([['ada lovelace', ['ada@example.com']]]),
}
/** What cells refer to: the thesis T1, and Ada Lovelace. */
export const references = { theses: new Map([['T1', 'th_1']]), users }

/** Settings besides the file. */
export interface ReadOptions {
  mapping?: ImportMapping
  choices?: FormatChoices
  custom?: CustomField[]
  hasPlainNumbers?: boolean
}

/** Reads the rows of a file as an import does, without a database. */
export function imported(
  header: string[],
  rows: string[][],
  { mapping = {}, choices = {}, custom = [], hasPlainNumbers = false }: ReadOptions = {},
) {
  const fields: CustomFieldMap = new Map(custom.map((field) => [field.key, field]))
  const columns = new ImportColumns(header, mapping)
  const customColumns = new CustomColumns(columns, mapping, fields)
  const survey = new FormatSurvey(columns, customColumns, { choices, hasPlainNumbers, preamble: [] })
  for (const [index, cells] of rows.entries()) survey.add(index + 2, cells)
  const formats = survey.decide(fields)
  const reader = new RowReader(columns, customColumns, formats, references)
  const identityReader = new IdentityReader(columns, formats.countryCodes)
  return {
    formats: formats.report,
    rows: rows.map((cells) => reader.read(cells, fields)),
    identities: rows.map((cells) => identityReader.read(cells)),
  }
}

/** A custom field with this key as its label. */
export const customField = (
  key: string,
  type: CustomFieldType,
  more: Partial<CustomField> = {},
): CustomField => ({
  ...{ id: `fld_${key}`, entity: 'company', key, label: key, type, options: [], currency: null },
  ...{ required: false, archived: false, updated_at: '2026-03-02T09:30:00.000Z' },
  ...more,
})

/** Reads a column of companies with other names. */
export const columnOf = (name: string, cells: string[], input?: ReadOptions) =>
  imported(
    ['Name', name],
    cells.map((cell, index) => [`Firm ${index}`, cell]),
    input,
  )

/** The values of a column for a field. */
export const valuesOf = (name: string, field: string, cells: string[], input?: ReadOptions) =>
  columnOf(name, cells, input).rows.map(({ fields }) => fields[field])
