import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { csvOf, type ImportSettings, ImportsUnderTest } from './imports.fixture.ts'
import type { ImportReport } from './schema.ts'

let api: TestApp
let imports: ImportsUnderTest
before(async () => {
  api = await testApp()
  imports = new ImportsUnderTest(api)
})
after(() => api.close())

let files = 0

/** Imports a column, and returns what is stored of each of its cells. */
async function stored(
  header: string,
  field: 'revenue_eur' | 'employee_count' | 'founded_year',
  cells: readonly string[],
  settings: ImportSettings = {},
): Promise<{ values: (number | null)[]; report: ImportReport }> {
  files += 1
  const rows = cells.map((cell, index) => [`Numbers ${files} ${index}`, cell])
  const { values, report } = await imports.fieldOf(field, [['Company', header], ...rows], settings)
  return { values: Object.values(values), report }
}

/** Columns as they are in files, and what must be stored: in each, the column decides what its signs mean. */
const AMOUNTS: [header: string, cells: Record<string, number | null>][] = [
  ['Revenue', { '182.603': 182.603, '12.5': 12.5, '7': 7 }],
  ['Revenue', { '182,603': 182.603, '12,5': 12.5 }],
  ['Revenue', { '1.250.000': 1_250_000, '850.000': 850_000, '12,50': 12.5 }],
  ['Revenue', { '1,250,000': 1_250_000, '850,000': 850_000, '12.50': 12.5 }],
  ['Revenue', { "1'250'000.50": 1_250_000.5, "850'000": 850_000 }],
  ['Umsatz', { '1 250 000,50': 1_250_000.5, '850\u202f000': 850_000, '3\u00a0500': 3500 }],
  ['Revenue', { '20,00,00,000': 200_000_000, '80,48,394': 8_048_394 }],
  ['Revenue', { '€1.2m': 1_200_000, '€850k': 850_000, '€2.4bn': 2_400_000_000 }],
  ['Umsatz', { '1,2 Mio. €': 1_200_000, '2,4 Mrd. EUR': 2_400_000_000, '850 Tsd. €': 850_000 }],
  ['Revenue (EUR m)', { '214.75': 214_750_000, '9.5': 9_500_000, '1,003.5': 1_003_500_000 }],
  ['Umsatz in Mio. €', { '214,75': 214_750_000, '9,5': 9_500_000 }],
  ['Revenue (in thousands)', { '214.75': 214_750, '9.5': 9500 }],
  ['Revenue', { '(90000)': null, '3.2E+06': 3_200_000, '~€2m': 2_000_000 }],
  ['Revenue', { '€82,800,000': 82_800_000, '-€9,100,000': null, '€0': 0 }],
  ['Revenue', { '€1M to €5M': null, '€2-3m': null, 'about nothing': null, '€5m': 5_000_000 }],
]

test('the column decides the decimal sign, thousands, and units of amounts', async () => {
  for (const [header, cells] of AMOUNTS) {
    const { values } = await stored(header, 'revenue_eur', Object.keys(cells))
    assert.deepEqual(values, Object.values(cells), `${header}: ${Object.keys(cells)}`)
  }
})

test('other currencies are never euros: without a rate the cell stays blank and the report asks for one', async () => {
  const cells = ['$2.4M', 'CHF 3.1m', '£420k', 'US$ 1,000.50', '12 SEK', '¥5m', 'INR 4 crore', '€1.5m']
  const { values, report } = await stored('Revenue', 'revenue_eur', cells)
  assert.deepEqual(values, [null, null, null, null, null, null, null, 1_500_000])
  assert.equal(report.bad_cells.length, 7)
  assert.equal(report.formats[0]?.question, 'currency')
  for (const code of ['USD', 'CHF', 'GBP', 'SEK', 'INR'])
    assert.ok(report.formats[0]?.currencies.includes(code), code)
  const dollars = await stored('Revenue (USD)', 'revenue_eur', ['100', '12.5'])
  assert.deepEqual(dollars.values, [null, null])
})

test('a rate that the person gives converts a currency', async () => {
  const rates = { USD: 0.5, GBP: 1.25 }
  const cells = ['$2.4M', '£420k', 'CHF 3m', '€1m']
  const { values } = await stored('Revenue', 'revenue_eur', cells, { formats: { Revenue: { rates } } })
  assert.deepEqual(values, [1_200_000, 525_000, null, 1_000_000])
  const formats = { 'Revenue (USD)': { rates } }
  assert.deepEqual(
    (await stored('Revenue (USD)', 'revenue_eur', ['100', '12.5'], { formats })).values,
    [50, 6.25],
  )
})

test('an ambiguous decimal sign needs a choice, which holds for the whole column', async () => {
  const cells = ['850.000', '120.500']
  const open = await stored('Revenue', 'revenue_eur', cells)
  assert.equal(open.report.formats[0]?.question, 'decimal')
  const choose = (decimal: '.' | ',') =>
    stored('Revenue', 'revenue_eur', cells, { formats: { Revenue: { decimal } } })
  assert.deepEqual((await choose('.')).values, [850, 120.5])
  const { values, report } = await choose(',')
  assert.deepEqual(values, [850_000, 120_500])
  assert.deepEqual([report.formats[0]?.decimal, report.formats[0]?.question], [',', null])
})

test('a column never mixes decimal signs: what contradicts itself costs the cell', async () => {
  const { values } = await stored('Revenue', 'revenue_eur', ['1.234,5', '1,234.5', '64.125', '77'])
  assert.deepEqual([values[0], values[1], values[3]], [1234.5, 1234.5, 77])
  assert.equal(values[2], null)
})

test('a unit that the person chooses counts for cells without one', async () => {
  const formats = { Revenue: { unit: 'million' as const } }
  const { values, report } = await stored('Revenue', 'revenue_eur', ['214.75', '9.5', '€800k'], { formats })
  assert.deepEqual(values, [214_750_000, 9_500_000, 800_000])
  assert.equal(report.formats[0]?.unit, 'million')
})

test('the report shows three examples of each format as they are stored, blank if they are not', async () => {
  const columns = [
    ['1.250.000,50', '850.000', '7', '9'],
    ['-12,5', '€1m to €2m', '$7'],
    ['soon', '1,5', '2'],
  ]
  for (const cells of columns) {
    const { report, values } = await stored('Revenue', 'revenue_eur', cells)
    assert.deepEqual(
      report.formats[0]?.examples.map(({ row, cell, value }) => [
        row,
        cell,
        value === '' ? null : Number(value),
      ]),
      cells.slice(0, 3).map((cell, index) => [index + 2, cell, values[index]]),
    )
  }
})

test('negative amounts are understood in a custom field', async () => {
  const rows = ['(90000)', '-€9,100,000', '−5', '4.5'].map((cell, index) => [`Loss ${index}`, cell])
  const { values } = await imports.fieldOf('custom', [['Company', 'Profit'], ...rows], {
    mapping: { 'custom.profit': { column: 'Profit', type: 'money' } },
  })
  assert.deepEqual(
    Object.values(values).map(({ profit }) => profit),
    [-90_000, -9_100_000, -5, 4.5],
  )
})

const COUNTS: Readonly<Record<string, number>> = {
  '12': 12,
  '11-50': 11,
  '11–50': 11,
  '51 to 200': 51,
  '1,001-5,000': 1001,
  '10K+': 10_000,
  '10,000+': 10_000,
  '3.5k': 3500,
  '~120': 120,
  'ca. 80': 80,
  'about 80': 80,
  '1-10 employees': 1,
  '80 people': 80,
  '25 Mitarbeiter': 25,
  '<10': 1,
  '>200': 200,
  c_00051_00100: 51,
  'self-employed': 1,
  '2,790': 2790,
}

test('headcounts of all kinds are understood', async () => {
  for (const [cell, count] of Object.entries(COUNTS)) {
    const { values, report } = await stored('Employees', 'employee_count', [cell, '7'])
    assert.deepEqual(values, [count, 7], cell)
    assert.deepEqual(report.bad_cells, [], cell)
  }
})

test('a range that a spreadsheet turned into a date is refused with a hint', async () => {
  const cells = ['Nov-50', '10-Feb', '01-Oct', 'Feb-10', '2-Nov', '11/2/2026', '2026-02-10', 'Okt 50']
  const { values, report } = await stored('Employees', 'employee_count', cells)
  assert.deepEqual(new Set(values), new Set([null]))
  for (const { message, value } of report.bad_cells) assert.match(message, /spreadsheet/, value)
  assert.equal(report.bad_cells.length, cells.length)
})

test('years are read from years and dates, and are never invented', async () => {
  const cells = ['2015', '2015.0', '2012-03-01', '27.11.2014', 'May 2011', '15', 'None', '3015', 'soon']
  const { values } = await stored('Founded', 'founded_year', cells)
  assert.deepEqual(values, [2015, 2015, 2012, 2014, 2011, null, null, null, null])
})

const dates = async (cells: readonly string[], settings: ImportSettings = {}) => {
  files += 1
  const file = csvOf([['Company', 'First met'], ...cells.map((cell, n) => [`Dates ${files} ${n}`, cell])])
  const mapping = { 'custom.first_met': { column: 'First met', type: 'date' } }
  const report = await imports.import(file, { mapping, ...settings })
  const companies = await imports.latest(report.created)
  return { values: companies.map(({ custom }) => custom.first_met ?? null), report }
}

test('the column decides the order of day and month', async () => {
  const usual = await dates(['11/27/2026', '11/03/2026', 'Nov 27, 2026', '27-Nov-26', '2026-11-27', '46353'])
  const day = '2026-11-27'
  assert.deepEqual(usual.values, [day, '2026-11-03', day, day, day, day])
  assert.deepEqual((await dates(['27/11/2026', '11/03/2026'])).values, [day, '2026-03-11'])
  assert.deepEqual((await dates(['27.11.2026', '11.03.2026'])).values, [day, '2026-03-11'])
  const times = await dates(['2026-11-27T09:30:00.000Z', '2026-11-27 23:30', '2026-11-27T23:30:00-11:00'])
  assert.deepEqual(times.values, [day, day, day])
})

test('an ambiguous order of day and month needs a choice, which holds for all cells', async () => {
  const cells = ['11/03/2026', '05/06/2026', 'Nov 2026']
  const open = await dates(cells)
  assert.equal(open.report.formats[0]?.question, 'date_order')
  assert.deepEqual(open.values, [null, null, null])
  const mdy = await dates(cells, { formats: { 'First met': { date_order: 'mdy' } } })
  assert.deepEqual(mdy.values, ['2026-11-03', '2026-05-06', null])
  const dmy = await dates(cells, { formats: { 'First met': { date_order: 'dmy' } } })
  assert.deepEqual(dmy.values, ['2026-03-11', '2026-06-05', null])
})

test('dates in two orders are never a mixture', async () => {
  const { values } = await dates(['13/01/2026', '14/01/2026', '15/01/2026', '01/16/2026', '02/03/2026'])
  assert.deepEqual(values.slice(0, 4), ['2026-01-13', '2026-01-14', '2026-01-15', null])
  assert.ok(values[4] === null || values[4] === '2026-03-02', String(values[4]))
})

test('check marks are a check box', async () => {
  const marks = { checked: true, unchecked: false, '✓': true, '☐': false, yes: true, nein: false, x: true }
  const file = csvOf([['Company', 'Hot'], ...Object.keys(marks).map((mark, n) => [`Mark ${n}`, mark])])
  const mapping = { 'custom.hot': { column: 'Hot', type: 'boolean' } }
  const { created } = await imports.import(file, { mapping })
  const values = (await imports.latest(created)).map(({ custom }) => custom.hot)
  assert.deepEqual(values, Object.values(marks))
})
