import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { CUSTOM_FIELD_TYPES, type CustomField, type CustomFieldType } from '#src/features/fields/schema.ts'
import { ImportColumns } from '#src/features/imports/columns/columns.ts'
import { CustomColumns } from '#src/features/imports/columns/custom-columns.ts'
import { FormatSurvey } from '#src/features/imports/formats/format-survey.ts'
import { RowReader } from '#src/features/imports/rows/row-reader.ts'
import { escapeFormula, writeCsv } from '#src/platform/csv/write.ts'
import { customCell } from './custom-cells.ts'

const field = (type: CustomFieldType): CustomField => ({
  id: `fld_${type}`,
  entity: 'company',
  key: type,
  label: type,
  type,
  options: ['Seed', 'A; B', '["x"]', '=SUM(1)', 'a|b', 'Ünïcode', 'Food, Beverage', 'N/A'].map(
    (label, n) => ({
      id: `opt_${n}`,
      label,
    }),
  ),
  currency: type === 'money' ? 'USD' : null,
  required: false,
  archived: false,
  updated_at: '2026-03-02T09:30:00.000Z',
})

const VALUES: Record<CustomFieldType, unknown[]> = {
  text: ['a', "'=1", '=1+1', 'a, "b"\nc', '-', 'N/A', '1e5'],
  long_text: ['first\n\nsecond', '@x'],
  number: [0, -5, 0.1, 1e-7, 5e-324, 1e15, -123.456, 64.125, 1234567.89],
  money: [0, -5.5, 1_000_000, 0.015, 1e-7, 850.125],
  date: ['2026-03-31', '0001-01-01', '9999-12-31'],
  boolean: [true, false],
  select: ['opt_0', 'opt_1', 'opt_2', 'opt_3', 'opt_4', 'opt_5', 'opt_6', 'opt_7'],
  multi_select: [
    ['opt_0'],
    ['opt_0', 'opt_5'],
    ['opt_1', 'opt_2'],
    ['opt_2'],
    ['opt_3', 'opt_4'],
    ['opt_6', 'opt_7'],
  ],
  url: ['https://example.com', 'http://example.com/ä?b=c#d', 'http://intranet'],
  email: ['ada@example.com', "o'neill@example.com"],
  user: ['ada@example.com'],
}

const users = { emails: new Set(['ada@example.com']), byName: new Map() }

/** The value that the import reads from a cell of an export. */
function readBack(type: CustomFieldType, cell: string): unknown {
  const fields = new Map([[type as string, field(type)]])
  const header = ['id', 'name', 'thesis_code', 'llm_score_details', 'updated_at', `custom.${type}`]
  const columns = new ImportColumns(header, {})
  const custom = new CustomColumns(columns, {}, fields)
  const survey = new FormatSurvey(columns, custom, {
    choices: {},
    hasPlainNumbers: false,
    preamble: [],
  })
  const cells = ['', 'Nordlys', '', '', '', cell]
  survey.add(2, cells)
  const reader = new RowReader(columns, custom, survey.decide(fields), { theses: new Map(), users })
  const { fields: read, errors } = reader.read(cells, fields)
  assert.deepEqual(errors, [], cell)
  return read.custom?.[type]
}

test('an exported value of each type is read back unchanged', () => {
  for (const type of CUSTOM_FIELD_TYPES)
    for (const value of VALUES[type]) {
      const cell = customCell(field(type), value)
      const [[written = ''] = []] = parse(writeCsv([[typeof cell === 'string' ? escapeFormula(cell) : cell]]))
      assert.deepEqual(readBack(type, written), value, `${type} ${written}`)
    }
})
