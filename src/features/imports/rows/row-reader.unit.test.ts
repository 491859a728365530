import assert from 'node:assert/strict'
import { test } from 'node:test'
import { columnOf, customField, imported, valuesOf } from '../read-rows.fixture.ts'

test('a bad cell costs its field, and all of a row are reported', () => {
  const { rows } = imported(
    ['Name', 'Website', 'Employees', 'Founded', 'Country Code', 'Owner Email', 'City'],
    [['Nordlys', 'soon', 'many', 'once', 'Narnia', 'left@example.com', 'Oslo']],
  )
  assert.deepEqual(rows[0]?.fields, { name: 'Nordlys', country: 'Narnia', hq_city: 'Oslo' })
  assert.deepEqual(
    rows[0]?.errors.map(({ column, field, value }) => [column, field, value]),
    [
      ['Website', 'website', 'soon'],
      ['Country Code', 'country_code', 'Narnia'],
      ['Employees', 'employee_count', 'many'],
      ['Founded', 'founded_year', 'once'],
      ['Owner Email', 'owner_email', 'left@example.com'],
    ],
  )
})

test('a row without a name has an error, and placeholders are not names', () => {
  for (const name of ['', ' -', 'N/A', '#N/A', '\u200b', '???']) {
    const { errors, fields, notes } = imported(['Name', 'City'], [[name, 'Oslo']]).rows[0] ?? assert.fail()
    assert.deepEqual(
      errors.map(({ field, message }) => [field, message]),
      [['name', 'name is required.']],
      name,
    )
    assert.deepEqual([fields.name, notes], [undefined, []])
  }
  for (const name of ['Unknown', 'NA', '! LTD', '42'])
    assert.equal(imported(['Name'], [[name]]).rows[0]?.fields.name, name)
  assert.match(imported(['Name'], [['x'.repeat(501)]]).rows[0]?.errors[0]?.message ?? '', /1 to 500/)
})

test('values beyond the limits of the API are errors of their cells', () => {
  const { rows } = imported(
    ['Name', 'City', 'Employees', 'Revenue', 'Score', 'Financials'],
    [['Nordlys', 'x'.repeat(201), '10,000,001', '(5)', '101', '[1]']],
  )
  assert.deepEqual(rows[0]?.fields, { name: 'Nordlys' })
  assert.equal(rows[0]?.errors.length, 5)
})

test('messages are equal for all cells of one kind, and the value is apart', () => {
  const { rows } = columnOf('Employees', ['many', 'few'])
  assert.equal(rows[0]?.errors[0]?.message, rows[1]?.errors[0]?.message)
  assert.equal(columnOf('Website', [`x ${'y'.repeat(100)}`]).rows[0]?.errors[0]?.value.length, 60)
})

test('placeholders leave a field blank with a note, and the name of the column is one', () => {
  const { rows } = columnOf('Website', ['-', 'n.a.', 'WEBSITE'])
  for (const { fields, errors, notes } of rows)
    assert.deepEqual([fields.website, errors.length, notes.length], [undefined, 0, 1])
  assert.deepEqual(valuesOf('Description', 'activity_description', ['unknown', 'N/A']), [
    'unknown',
    undefined,
  ])
})

test('the first cell with a value counts, a second one is noted', () => {
  const header = ['Name', 'City', 'City', 'Tags', 'Tags']
  const { rows } = imported(header, [
    ['A', '-', 'Oulu', 'robots', 'logistics, Robots'],
    ['B', 'Turku', 'Oulu', '', 'health'],
    ['C', 'Turku', 'Turku', '', ''],
  ])
  assert.deepEqual(
    rows.map(({ fields }) => fields.hq_city),
    ['Oulu', 'Turku', 'Turku'],
  )
  assert.deepEqual(
    rows.map(({ fields }) => fields.tags),
    [['robots', 'logistics'], ['health'], undefined],
  )
  assert.deepEqual(
    rows.map(({ notes }) => notes.map(({ column }) => column)),
    [['City'], ['City (2)'], []],
  )
})

test('Namibia is a code, and beside another country NA leaves the code to the country', () => {
  const codes = imported(
    ['Name', 'Country', 'Country Code'],
    [
      ['A', 'Namibia', 'NA'],
      ['B', '', 'NA'],
      ['C', 'Norway', 'NA'],
    ],
  )
  assert.deepEqual(
    codes.rows.map(({ fields }) => fields.country_code),
    ['NA', 'NA', 'NO'],
  )
  const countries = columnOf('Country', ['DE', 'FR', 'NA'])
  assert.deepEqual(countries.rows[2]?.fields, { name: 'Firm 2', country: 'Namibia', country_code: 'NA' })
  assert.equal(columnOf('Country', ['Germany', 'NA']).rows[1]?.fields.country, undefined)
})

test('the identity of a row has the values that reading it gives', () => {
  const { rows, identities } = imported(
    ['Firm', 'URL', 'Country', 'City'],
    [
      ['Ｎordlys', 'nordlys.example', 'NO', 'Oslo'],
      ['-', 'soon', 'Narnia', '-'],
    ],
  )
  for (const [index, identity] of identities.entries()) {
    const {
      name = '',
      website = null,
      country = null,
      country_code = null,
      hq_city = null,
    } = rows[index]?.fields ?? {}
    assert.deepEqual(identity, { name, website, country, country_code, hq_city })
  }
  assert.deepEqual(identities[0], {
    name: 'Nordlys',
    website: 'https://nordlys.example',
    country: 'Norway',
    country_code: 'NO',
    hq_city: 'Oslo',
  })
})

test('a status that stays blank says which one new companies get', () => {
  const { rows } = columnOf('Status', ['-', '保留', 'active'])
  assert.match(rows[0]?.notes[0]?.message ?? '', /left blank\. New companies get the status active/)
  assert.match(rows[1]?.errors[0]?.message ?? '', /New companies get the status active/)
  assert.deepEqual(rows[2]?.notes, [])
})

test('formats are reported with the first three values as they are stored', () => {
  const amounts = columnOf('Revenue', ['(5.5)', '$7', '€1.5']).formats[0]?.examples
  assert.deepEqual(
    amounts?.map(({ value }) => value),
    ['', '', '1.5'],
  )
  const { formats } = columnOf('Employees', ['-', '11-50', 'many', '1,200', '7'])
  assert.deepEqual(formats[0]?.examples, [
    { row: 3, cell: '11-50', value: '11' },
    { row: 4, cell: 'many', value: '' },
    { row: 5, cell: '1,200', value: '1200' },
  ])
})

test('custom values have the format of their column and the limits of their field', () => {
  const options = [
    { id: 'opt_1', label: 'Seed' },
    { id: 'opt_2', label: 'Unknown' },
    { id: 'opt_3', label: 'Food, Beverage' },
  ]
  const custom = [
    customField('met', 'date'),
    customField('stage', 'select', { options }),
    customField('markets', 'multi_select', { options }),
    customField('raised', 'money', { currency: 'USD' }),
    customField('vip', 'boolean'),
    customField('lead', 'user'),
    customField('note', 'text'),
  ]
  const header = ['Name', 'met', 'stage', 'markets', 'raised', 'vip', 'lead', 'note']
  const { rows, formats } = imported(
    header,
    [
      ['A', '11/27/2026', 'seed', 'Food, Beverage', '$1.5m', '✓', 'Ada Lovelace', 'unknown'],
      ['B', '11/03/2026', 'Unknown', "['Seed', 'Growth']", '€5', 'unchecked', 'Unassigned', '-'],
      ['C', 'Nov 2026', 'n/a', 'Growth', '5', 'maybe', 'Bob', 'x'.repeat(501)],
    ],
    { custom },
  )
  assert.deepEqual(
    rows.map(({ fields }) => fields.custom),
    [
      {
        met: '2026-11-27',
        stage: 'opt_1',
        markets: ['opt_3'],
        raised: 1_500_000,
        vip: true,
        lead: 'ada@example.com',
        note: 'unknown',
      },
      { met: '2026-11-03', stage: 'opt_2', markets: ['opt_1'], vip: false },
      { raised: 5 },
    ],
  )
  assert.deepEqual(
    rows.map(({ errors }) => errors.map(({ column }) => column)),
    [[], ['markets', 'raised'], ['met', 'markets', 'vip', 'lead', 'note']],
  )
  assert.equal(formats.find(({ field }) => field === 'custom.met')?.date_order, 'mdy')
})

test('an export is read as it was written', () => {
  const header = [
    'id',
    'name',
    'website',
    'status',
    'thesis_code',
    'revenue_eur',
    'llm_score_details',
    'tags',
    'updated_at',
  ]
  const { rows } = imported(header, [
    ['', '-', 'http://intranet', 'in_diligence', 'T1', '64.125', '{"a":1}', 'a|b; N/A', ''],
    ['', 'B', '', 'active', '', '', '', '["Food, Beverage","a"]', ''],
  ])
  assert.deepEqual(rows[1]?.fields.tags, ['Food, Beverage', 'a'])
  assert.deepEqual(rows[0], {
    fields: {
      ...{
        name: '-',
        website: 'http://intranet',
        status: 'in_diligence',
        thesis_id: 'th_1',
        revenue_eur: 64.125,
      },
      ...{ llm_score_details: { a: 1 }, tags: ['a|b', 'N/A'] },
    },
    errors: [],
    notes: [],
  })
})
