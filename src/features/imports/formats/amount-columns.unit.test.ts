import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ImportColumns } from '../columns/columns.ts'
import { CustomColumns } from '../columns/custom-columns.ts'
import { columnOf, references, valuesOf } from '../read-rows.fixture.ts'
import { RowReader } from '../rows/row-reader.ts'
import type { FormatChoices } from '../schema.ts'
import { FormatSurvey } from './format-survey.ts'

test('the decimal sign is that of the column', () => {
  assert.deepEqual(valuesOf('Revenue', 'revenue_eur', ['182.603', '12.5']), [182.603, 12.5])
  assert.deepEqual(valuesOf('Revenue', 'revenue_eur', ['182.603', '12,5']), [182_603, 12.5])
  assert.deepEqual(valuesOf('Umsatz in Mio. €', 'revenue_eur', ['214,75', '9,5']), [214_750_000, 9_500_000])
  const thousands = columnOf('Revenue', ['850.000', '120.000'])
  assert.deepEqual(
    [thousands.rows[0]?.fields.revenue_eur, thousands.formats[0]?.question],
    [850_000, 'decimal'],
  )
  const chosen = { choices: { Revenue: { decimal: '.', unit: 'thousand' } } } as const
  assert.deepEqual(valuesOf('Revenue', 'revenue_eur', ['850.000', '120.5'], chosen), [850_000, 120_500])
  const mixed = columnOf('Revenue', ['1.234,5', '1,234.5', '64.125'])
  assert.deepEqual(
    mixed.rows.map(({ fields }) => fields.revenue_eur),
    [1234.5, 1234.5, undefined],
  )
  assert.equal(mixed.formats[0]?.question, 'decimal')
  assert.deepEqual(
    valuesOf('Revenue', 'revenue_eur', ['214.750', '9.500'], { hasPlainNumbers: true }),
    [214.75, 9.5],
  )
  assert.equal(columnOf('Revenue', ['214.750'], { hasPlainNumbers: true }).formats[0]?.question, null)
})

test('another currency needs a rate, and is converted with it', () => {
  const dollars = columnOf('Revenue (USD)', ['1.5', '€2'])
  assert.deepEqual(
    dollars.rows.map(({ fields }) => fields.revenue_eur),
    [undefined, 2],
  )
  assert.deepEqual(
    [dollars.formats[0]?.question, dollars.formats[0]?.currency, dollars.formats[0]?.currencies],
    ['currency', 'USD', ['USD']],
  )
  const rates = { choices: { 'Revenue (USD)': { rates: { USD: 0.5 } } } }
  const converted = columnOf('Revenue (USD)', ['1.5', '€2'], rates)
  assert.deepEqual(
    converted.rows.map(({ fields }) => fields.revenue_eur),
    [0.75, 2],
  )
  assert.equal(converted.formats[0]?.question, null)
  assert.throws(() => columnOf('Revenue', ['1'], { choices: { Sales: {} } }), /not for "Sales"/)
})

const amountsOf = (cells: string[], choice?: FormatChoices[string], header = 'Revenue') => {
  const { rows, formats } = columnOf(header, cells, choice && { choices: { [header]: choice } })
  const { question, currency, currencies } = formats[0] ?? assert.fail()
  return { values: rows.map(({ fields }) => fields.revenue_eur), question, currency, currencies }
}

test('amounts without a currency have the one that all others of the column have', () => {
  for (const [code, cells] of [
    ['USD', ['$1.5M', '2000000', '$900K']],
    ['CHF', ['CHF 3m', '1.5m', '2 Mio. CHF']],
    ['GBP', ['1', '2', '3', '£4']],
    ['USD', ['$1M-$5M', '2000000']],
    ['USD', ['$5M raised', '2000000']],
    ['¥', ['¥5m', '2000000']],
  ] as const) {
    const open = amountsOf([...cells])
    assert.deepEqual(new Set(open.values), new Set([undefined]), cells.join())
    assert.deepEqual(
      [open.question, open.currency, open.currencies],
      ['currency', code, [code]],
      cells.join(),
    )
  }
  const rates = { USD: 0.5 }
  const converted = amountsOf(['$1.5M', '2000000'], { rates })
  assert.deepEqual(converted, {
    ...{ values: [750_000, 1_000_000], question: null, currency: 'USD', currencies: ['USD'] },
  })
  assert.deepEqual(amountsOf(['$1.5M', '2000000'], { currency: 'EUR' }).values, [undefined, 2_000_000])
})

test('amounts without a currency are euros beside amounts in euros, or if the header names the currency', () => {
  assert.deepEqual(amountsOf(['$1M', '€2M', '3000', 'CHF 4']).values, [undefined, 2e6, 3000, undefined])
  assert.deepEqual(amountsOf(['$1M', '3000'], undefined, 'Revenue (EUR)').values, [undefined, 3000])
})

test('amounts without a currency are blank beside several other currencies', () => {
  const cells = ['$1M', 'CHF 4m', '3000']
  const open = amountsOf(cells, { rates: { USD: 0.5, CHF: 1 } })
  assert.deepEqual(open, {
    ...{
      values: [500_000, 4e6, undefined],
      question: 'currency',
      currency: null,
      currencies: ['USD', 'CHF'],
    },
  })
  const chosen = amountsOf(cells, { currency: 'USD', rates: { USD: 0.5, CHF: 1 } })
  assert.deepEqual([chosen.values, chosen.question], [[500_000, 4e6, 1500], null])
})

test('a chosen currency explains a sign, and is not that of others beside amounts in euros', () => {
  const choice = { currency: 'JPY', rates: { JPY: 0.006 } }
  assert.deepEqual(amountsOf(['¥5m', '1.250,00', '€3'], choice), {
    ...{ values: [30_000, 1250, 3], question: null, currency: 'EUR', currencies: ['JPY'] },
  })
  assert.deepEqual(amountsOf(['¥5m', '1.250,00'], choice, 'Umsatz (EUR)').values, [30_000, 1250])
  assert.deepEqual(amountsOf(['¥5m', '1.000.000'], choice).values, [30_000, 6000])
  assert.deepEqual(amountsOf(['kr 100', '5'], { currency: 'SEK', rates: { SEK: 0.1 } }).values, [10, 0.5])
  assert.equal(amountsOf(['¥5m', '€3'], { currency: 'SEK' }).question, 'currency')
  assert.deepEqual(
    amountsOf(['€3', '5'], { currency: 'USD', rates: { USD: 0.5 } }).values,
    [3, 2.5],
    'no sign needs it',
  )
})

test('lines above the table name the currency of amounts', () => {
  for (const [line, value] of [
    ['All amounts in USD', undefined],
    ['Currency: USD', undefined],
    ['Figures in thousands of EUR', 5000],
    ['Fund of Vista Real', 5],
  ] as const) {
    const columns = new ImportColumns(['Name', 'Revenue'], {})
    const custom = new CustomColumns(columns, {}, new Map())
    const survey = new FormatSurvey(columns, custom, {
      choices: {},
      hasPlainNumbers: false,
      preamble: [line],
    })
    survey.add(2, ['A', '5'])
    const reader = new RowReader(columns, custom, survey.decide(new Map()), references)
    assert.equal(reader.read(['A', '5'], new Map()).fields.revenue_eur, value, line)
  }
})

test('small amounts of a column without a unit are noted', () => {
  const notes = (header: string, choice = {}) =>
    columnOf(header, ['14.20', '3.75', '0', '5000'], { choices: { [header]: choice } }).rows.map(
      (row) => row.notes.length,
    )
  assert.deepEqual(notes('Revenue'), [1, 1, 0, 0])
  assert.deepEqual(notes('Revenue (EUR)'), [1, 1, 0, 0])
  assert.deepEqual(notes('Revenue (EUR m)'), [0, 0, 0, 0])
  assert.deepEqual(notes('Revenue', { unit: 'one' }), [0, 0, 0, 0])
})
