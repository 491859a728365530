import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import {
  CUSTOM_FIELD_TYPES,
  type CustomField,
  type CustomFieldType,
} from '#src/features/custom-fields/schema.ts'
import { parseCustomValue } from '#src/features/custom-fields/store.ts'
import { escapeFormula, unescapeFormula, writeCsv } from '#src/platform/csv/write.ts'
import { customCell, parseCustomCell } from './custom-cells.ts'
import { guessType } from './import/guess-type.ts'

const field = (type: CustomFieldType): CustomField => ({
  id: `fld_${type}`,
  entity: 'company',
  key: type,
  label: type,
  type,
  options: ['Seed', 'A; B', '["x"]', '=SUM(1)', 'a|b', 'Ünïcode'].map((label, n) => ({
    id: `opt_${n}`,
    label,
  })),
  currency: null,
  required: false,
  archived: false,
  updated_at: '2026-03-02T09:30:00.000Z',
})

const VALUES: Record<CustomFieldType, unknown[]> = {
  text: ['a', "'=1", '=1+1', 'a, "b"\nc', '-', '1e5', '\u200b=1'],
  long_text: ['first\n\nsecond', '@x'],
  number: [0, -5, 0.1, 1e-7, 5e-324, 1e15, -123.456, 1234567.89],
  money: [0, -5.5, 1_000_000, 0.015, 1e-7],
  date: ['2026-03-31', '0001-01-01', '9999-12-31'],
  boolean: [true, false],
  select: ['opt_0', 'opt_1', 'opt_2', 'opt_3', 'opt_4', 'opt_5'],
  multi_select: [['opt_0'], ['opt_0', 'opt_5'], ['opt_1', 'opt_2'], ['opt_2'], ['opt_3', 'opt_4']],
  url: ['https://example.com', 'http://example.com/ä?b=c#d'],
  email: ['ada@example.com', "o'neill@example.com"],
  user: ['ada@example.com'],
}

test('an exported value of each type is read back unchanged', () => {
  for (const type of CUSTOM_FIELD_TYPES)
    for (const value of VALUES[type]) {
      const cell = customCell(field(type), value)
      const [[written = ''] = []] = parse(writeCsv([[typeof cell === 'string' ? escapeFormula(cell) : cell]]))
      const text = unescapeFormula(written).trim()
      const read = parseCustomValue(field(type), parseCustomCell(field(type), text, true))
      assert.deepEqual(read, value, `${type} ${text}`)
    }
})

test('cells of other tools are understood', () => {
  const cases: [CustomFieldType, string, unknown][] = [
    ['number', '1,234,567.5', 1_234_567.5],
    ['number', '-12', -12],
    ['number', 'twelve', undefined],
    ['money', '€1.2m', 1_200_000],
    ['money', '-1.200,50', -1200.5],
    ['date', '2026/3/1', '2026-03-01'],
    ['date', '1.3.2026', '2026-03-01'],
    ['date', '2026-03-01T10:00:00Z', '2026-03-01'],
    ['date', '2026-02-30', undefined],
    ['date', '03/04/2026', undefined],
    ['boolean', 'Yes', true],
    ['boolean', '0', false],
    ['boolean', 'maybe', undefined],
    ['url', 'example.com', 'https://example.com'],
    ['select', 'SEED', 'opt_0'],
    ['select', 'Growth', undefined],
    ['multi_select', 'Seed | Ünïcode', ['Seed', 'Ünïcode']],
  ]
  for (const [type, text, value] of cases)
    assert.deepEqual(parseCustomCell(field(type), text, false), value, `${type} ${text}`)
})

const repeated = (values: string[], times = 10) => Array.from({ length: times }, () => values).flat()

test('the type of a column is guessed from its cells', () => {
  const cases: [CustomFieldType, string[]][] = [
    ['text', []],
    ['boolean', ['yes', 'No']],
    ['number', ['1', '0', '-2.5', '1,000']],
    ['text', ['007', '12']],
    ['money', ['€5', '1.2m EUR']],
    ['date', ['2026-01-31', '1.2.2026']],
    ['email', ['ada@example.com']],
    ['url', ['https://example.com', 'http://example.org/a']],
    ['text', ['example.com', 'Acme']],
    ['select', repeated(['Winter 2026', 'Summer 2025'])],
    ['text', ['Winter 2026', 'Summer 2025']],
    ['multi_select', repeated(['B2B; SaaS', 'SaaS; Health', 'Health'])],
    ['text', Array.from({ length: 40 }, (_value, n) => `Name ${n}`)],
    ['long_text', ['x'.repeat(300)]],
    ['long_text', ['two\nlines']],
  ]
  for (const [type, cells] of cases) assert.equal(guessType(cells), type, cells.slice(0, 3).join(' / '))
})
