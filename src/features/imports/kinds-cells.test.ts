import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { ImportsUnderTest } from './imports.fixture.ts'

let api: TestApp
let imports: ImportsUnderTest
before(async () => {
  api = await testApp()
  imports = new ImportsUnderTest(api)
})
after(() => api.close())

/** Companies with these cells in one column, called by a prefix and a number. */
const column = (prefix: string, header: string, cells: readonly string[]): string[][] => [
  ['Company', header],
  ...cells.map((cell, index) => [`${prefix} ${index}`, cell]),
]

const EMPTY = [
  '-',
  '–',
  '—',
  '--',
  'N/A',
  'n/a',
  'n.a.',
  '#N/A',
  'NULL',
  'null',
  'NaN',
  'none',
  'None',
  'TBD',
  'tbc',
]
const EMPTY_WORDS = [
  'unknown',
  'undisclosed',
  'not available',
  'k.A.',
  'keine Angabe',
  's/o',
  '?',
  '...',
  '#REF!',
]

test('placeholders are blank in fields that are not prose, are counted, and cost no company', async () => {
  const fields = {
    Website: 'website',
    Country: 'country',
    City: 'hq_city',
    Employees: 'employee_count',
    Founded: 'founded_year',
    Revenue: 'revenue_eur',
    'Owner Email': 'owner_email',
  } as const
  for (const [header, field] of Object.entries(fields)) {
    const cells = [...EMPTY, ...EMPTY_WORDS]
    const { report, values } = await imports.fieldOf(field, column(`Blank ${header}`, header, cells))
    assert.deepEqual(new Set(Object.values(values)), new Set([null]), `${header}: ${JSON.stringify(values)}`)
    const counted = report.warnings.filter((warning) => warning.column === header)
    assert.equal(
      counted.reduce((sum, { count }) => sum + count, 0),
      cells.length,
      header,
    )
    assert.deepEqual(report.bad_cells, [], header)
  }
})

test('a placeholder for the status is the default, and one for the description is blank', async () => {
  const statuses = await imports.fieldOf('status', column('Blank status', 'Status', [...EMPTY, 'unknown']))
  assert.deepEqual(new Set(Object.values(statuses.values)), new Set(['active']))
  const prose = ['-', '—', 'N/A', 'n/a', 'NULL', '#N/A', 'nan']
  const texts = await imports.fieldOf('activity_description', column('Blank text', 'Description', prose))
  assert.deepEqual(new Set(Object.values(texts.values)), new Set([null]))
  const { values } = await imports.fieldOf('activity_description', column('Text', 'Description', ['Unknown']))
  assert.deepEqual(values, { 'Text 0': 'Unknown' })
})

test('Namibia keeps its code beside placeholders', async () => {
  const cells = ['NA', 'DE', 'N/A', 'NULL', 'FR']
  const { values } = await imports.fieldOf('country_code', column('Code', 'Country Code', cells))
  assert.deepEqual(values, { 'Code 0': 'NA', 'Code 1': 'DE', 'Code 2': null, 'Code 3': null, 'Code 4': 'FR' })
  const named = await imports.fieldOf('country_code', column('Land', 'Country', ['Namibia', 'NA', 'Kenya']))
  assert.deepEqual(named.values, { 'Land 0': 'NA', 'Land 1': null, 'Land 2': 'KE' })
})

test('the name of a column as its value is a placeholder', async () => {
  const { values } = await imports.fieldOf('website', [
    ['Company', 'Website'],
    ['Repeat A', 'Website'],
    ['Repeat B', 'website'],
    ['Repeat C', 'https://repeat-c.example'],
  ])
  assert.deepEqual(values, { 'Repeat A': null, 'Repeat B': null, 'Repeat C': 'https://repeat-c.example' })
})

test('placeholders are no names, and such rows fail, each with its row', async () => {
  const names = ['-', ' -', '—', 'N/A', '#N/A', 'null', '', 'n/a']
  const rows = names.map((name, index) => `"${name}",City ${index}\n`).join('')
  const report = await imports.import(`Company,City\n${rows}Unnamed Foods,Lyon\n`)
  assert.deepEqual([report.created, report.failed], [1, names.length])
  assert.deepEqual(
    report.errors.map(({ row, column }) => [row, column]),
    names.map((_name, index) => [index + 2, 'Company']),
  )
})

test('a bad cell costs the cell, all bad cells of a row are reported, and equal messages are counted', async () => {
  const rows = Array.from({ length: 30 }, (_value, n) => `Bad ${n},not a site,a crowd of ${n},someday,Bonn\n`)
  const file = `Company,Website,Employees,Founded,City\n${rows.join('')}`
  const report = await imports.import(file)
  assert.deepEqual([report.created, report.failed], [30, 0])
  assert.equal(report.bad_cells.length, 90)
  assert.deepEqual(report.warnings.map(({ column, count }) => [column, count]).toSorted(), [
    ['Employees', 30],
    ['Founded', 30],
    ['Website', 30],
  ])
  const { hq_city, website, employee_count, founded_year } = await imports.company('Bad 7')
  assert.deepEqual([hq_city, website, employee_count, founded_year], ['Bonn', null, null, null])
})

test('with bad_cells=fail, a row with a bad cell fails with all of them and the others are imported', async () => {
  const file = 'Company,Website,Employees\nStrict A,nonsense,many\nStrict B,strict-b.example,5\n'
  const report = await imports.import(file, { bad_cells: 'fail' })
  assert.deepEqual([report.created, report.failed], [1, 1])
  assert.deepEqual(
    report.errors.map(({ row, column }) => [row, column]),
    [
      [2, 'Website'],
      [2, 'Employees'],
    ],
  )
  for (const { message } of report.errors) assert.match(message, /nonsense|many/)
})

test('repairs replace cells and leave out rows, and are the same in the dry run', async () => {
  const file =
    'Company,Employees,City\nRepaired A,a few,Rome\n,7,Pisa\nRepaired C,9,Bari\nRepaired D,9,Bari\nRepaired E,9,Bari\n'
  const report = await imports.import(file, {
    repairs: {
      cells: [
        { row: 2, column: 'Employees', value: '4' },
        { row: 3, column: 'Company', value: 'Repaired B' },
        { row: 4, column: 'City', value: '' },
      ],
      exclude: [5],
    },
  })
  const { created, failed, left_out, bad_cells } = report
  assert.deepEqual(
    { created, failed, left_out, bad_cells },
    { created: 4, failed: 0, left_out: 1, bad_cells: [] },
  )
  assert.deepEqual(
    report.left_out_rows.map(({ row }) => row),
    [5],
  )
  assert.equal((await imports.company('Repaired A')).employee_count, 4)
  assert.equal((await imports.company('Repaired B')).employee_count, 7)
  assert.equal((await imports.company('Repaired C')).hq_city, null)
  assert.deepEqual(await imports.named('Repaired D'), [])
})

test('repairs of a column that the file does not have are refused', async () => {
  const repairs = { cells: [{ row: 2, column: 'Size', value: '4' }] }
  const { status, body } = await imports.send('Company,City\nNone,Rome\n', { repairs })
  assert.equal(status, 400)
  assert.match(body.details, /Size/)
})

const STATUSES: Readonly<Record<string, string>> = {
  '1. Qualified': 'qualified',
  '03 - Term Sheet': 'term_sheet',
  '(2) Met': 'met',
  'B. First call': 'first_call',
  'C) Parked': 'parked',
  '🔥 Hot lead': 'hot_lead',
  '✅ Won': 'won',
  'Passed (too early)': 'passed_too_early',
  'Active – private': 'active_private',
  'In Gespräch': 'in_gesprach',
  Operating: 'active',
  Closed: 'inactive',
  Geschlossen: 'inactive',
  'M&A': 'acquired',
  IPO: 'public',
}

test('numbered, lettered, and decorated statuses are words', async () => {
  const { values, report } = await imports.fieldOf('status', column('Stage', 'Status', Object.keys(STATUSES)))
  assert.deepEqual(Object.values(values), Object.values(STATUSES))
  assert.deepEqual(report.bad_cells, [])
})

test('a status that can be no word costs the status alone, and the message says what is possible', async () => {
  const cells = ['В работе', '保留', '検討中', '75%', '★★★', '100']
  const { values, report } = await imports.fieldOf('status', column('Odd', 'Status', cells))
  assert.deepEqual(new Set(Object.values(values)), new Set(['active']))
  assert.equal(report.bad_cells.length, cells.length)
  for (const { message } of report.bad_cells)
    assert.match(message, /active, inactive, acquired.*custom field/)
})

test('a column of statuses can become a custom field with all its values', async () => {
  const cells = ['В работе', '保留', '75%']
  const { values } = await imports.fieldOf('custom', column('Kept', 'Status', cells), {
    mapping: { status: null, 'custom.pipeline': { column: 'Status', label: 'Pipeline', type: 'text' } },
  })
  assert.deepEqual(
    Object.values(values).map(({ pipeline }) => pipeline),
    cells,
  )
})

test('descriptions lose the line breaks around them, and keep those inside', async () => {
  const cells = ['\nAds that explain', 'First\n\nSecond\n', '\r\n  Text  \r\n']
  const { values } = await imports.fieldOf('activity_description', column('Pitch', 'Pitch', cells))
  assert.deepEqual(Object.values(values), ['Ads that explain', 'First\n\nSecond', 'Text'])
})

test('invisible characters disappear from cells', async () => {
  const file =
    'Company,City\nCafe\u0301\u00a0Noir\u200b,\ufeffSa\u0303o\u00a0Paulo\n\uff21\uff23\uff2d\uff25 Tools,Z\u00adürich\n'
  const report = await imports.import(file)
  assert.equal(report.created, 2)
  assert.equal((await imports.company('Café Noir')).hq_city, 'São Paulo')
  assert.equal((await imports.company('ACME Tools')).hq_city, 'Zürich')
})
