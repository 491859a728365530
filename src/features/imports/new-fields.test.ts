import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { CUSTOM_FIELD_TYPES, MAX_FIELD_OPTIONS } from '#src/features/fields/schema.ts'
import { type Answer, type TestApp, testApp } from '#src/testing/app.ts'

let api: TestApp
before(async () => {
  api = await testApp()
})
after(() => api.close())

const importCsv = (csv: string, mapping: unknown, query: Record<string, string> = {}): Promise<Answer> =>
  api.call('POST', '/api/companies/import', csv, {
    headers: { 'content-type': 'text/csv' },
    query: { ...query, mapping: JSON.stringify(mapping) },
  })

const customKeys = async (): Promise<string[]> => {
  const { data } = (await api.call('GET', '/api/fields?limit=1000')).body
  return data.flatMap(({ id, key }: { id: string | null; key: string }) => (id === null ? [] : [key]))
}

/** The import is refused with this error, in a dry run too, and creates no field. */
async function assertRefused(csv: string, mapping: unknown, status: number, details: string): Promise<void> {
  const keys = await customKeys()
  for (const dry_run of ['true', 'false']) {
    const answer = await importCsv(csv, mapping, { dry_run })
    assert.deepEqual([answer.status, answer.body.details], [status, details])
  }
  assert.deepEqual(await customKeys(), keys)
}

test('an import with a label that is taken is refused, in a dry run too, and creates no field', async () => {
  const field = await api.call('POST', '/api/fields', { entity: 'company', label: 'Cohort', type: 'text' })
  const { id } = field.body.data
  const csv = 'name,Eur,Dt\nAcme,1,2026-03-02\n'
  await assertRefused(
    csv,
    { 'custom.a': { column: 'Eur', label: 'Same' }, 'custom.b': { column: 'Dt', label: 'same ' } },
    400,
    'mapping.custom.b: label must be unique, but "same " is also the label of mapping.custom.a. ' +
      'A label is the name of the column, unless the mapping has another.',
  )
  await assertRefused(
    csv,
    { 'custom.a': { column: 'Eur' }, 'custom.b': { column: 'Dt', label: 'COHORT' } },
    409,
    `mapping.custom.b: label must be unique: the field ${id} has the label Cohort.`,
  )
  await assertRefused(
    csv,
    { 'custom.a': { column: 'Eur' }, 'custom.b': { column: 'Dt', label: 'status' } },
    409,
    'mapping.custom.b: label must be unique: a built-in field has the label Status.',
  )
})

test('an import with a key that a field cannot have is refused, and the error names the mapping', async () => {
  const csv = 'name,Eur,Dt\nAcme,1,2026-03-02\n'
  const first = { 'custom.a': { column: 'Eur' } }
  await assertRefused(
    csv,
    { ...first, 'custom.name': { column: 'Dt' } },
    400,
    'mapping.custom.name: key must not be the name of a built-in field, such as name.',
  )
  await assertRefused(
    csv,
    { ...first, 'custom.Cohort X': { column: 'Dt' } },
    400,
    'mapping.custom.Cohort X: key must be a lower_snake_case word of up to 60 characters, not "Cohort X".',
  )
})

test('a mapping of the wrong shape is refused, and the error names its part', async () => {
  const csv = 'name,Eur\nAcme,1\n'
  for (const [mapping, details] of [
    [
      { 'custom.cohort': { column: 'Eur', type: 'foo' } },
      `mapping.custom.cohort.type must be one of ${CUSTOM_FIELD_TYPES.join(', ')}, not "foo".`,
    ],
    [
      { 'custom.cohort': { col: 'Eur' } },
      'mapping.custom.cohort.col is not a known field. Known here: column, label, type.',
    ],
    [{ 'custom.cohort': { type: 'text' } }, 'mapping.custom.cohort.column is required.'],
    [
      { 'custom.cohort': 5 },
      'mapping.custom.cohort must be the name of a column, an object such as {"column": "Batch"}, or null, not 5.',
    ],
    [{ name: 5 }, 'mapping.name must be the name of a column or null, not 5.'],
  ] as const)
    await assertRefused(csv, mapping, 400, details)
  for (const mapping of [[], 'name', null])
    await assertRefused(
      csv,
      mapping,
      400,
      'mapping must be a JSON object of fields and columns, such as {"name": "Firm"}, or for a new custom field ' +
        '{"custom.batch": {"column": "Batch", "type": "select"}}, where type and label may be omitted.',
    )
})

test('an existing field is not mapped with another type', async () => {
  const options = [{ label: 'W24' }]
  await api.call('POST', '/api/fields', { entity: 'company', label: 'Wave', type: 'select', options })
  const csv = 'name,Group\nWaves,W24\n'
  const mapped = (type?: string) => ({ 'custom.wave': { column: 'Group', ...(type && { type }) } })
  await assertRefused(
    csv,
    mapped('text'),
    400,
    'mapping.custom.wave.type must be select, the type of the existing field, or omitted, not "text".',
  )
  for (const type of ['select', undefined])
    assert.equal((await importCsv(csv, mapped(type), { dry_run: 'true' })).body.data.created, 1)
})

test('a value beyond the limit of options costs the cell, and the warning names the limit', async () => {
  const rows = Array.from({ length: MAX_FIELD_OPTIONS + 1 }, (_value, n) => `Full ${n},o${n}\n`)
  const mapping = { 'custom.full': { column: 'Mark', type: 'select' } }
  const { data } = (await importCsv(`name,Mark\n${rows.join('')}`, mapping)).body
  assert.deepEqual([data.created, data.failed], [MAX_FIELD_OPTIONS + 1, 0])
  assert.deepEqual(data.warnings, [
    {
      column: 'Mark',
      message:
        'custom.full must be one of the options (o0, o1, o2, o3, o4, o5, o6, o7, o8, o9, …). ' +
        'A field has at most 200 options, so the import did not create another one.',
      left_blank: true,
      count: 1,
      examples: [{ row: MAX_FIELD_OPTIONS + 2, value: 'o200' }],
    },
  ])
})

test('a new field of amounts gets the currency of its column', async () => {
  const file = 'name,Raised,Backing (GBP m)\nDollars,$1.5m,2.5\nUnsaid,-,1\n'
  const mapping = {
    'custom.raised': { column: 'Raised' },
    'custom.backing': { column: 'Backing (GBP m)', label: 'Backing' },
  }
  const { data } = (await importCsv(file, mapping)).body
  assert.deepEqual(
    data.new_fields.map(({ type, currency }: { type: string; currency: string }) => [type, currency]),
    [
      ['money', 'USD'],
      ['money', 'GBP'],
    ],
  )
  const { custom } = (await api.call('GET', '/api/companies?search=Dollars')).body.data[0]
  assert.deepEqual(custom, { raised: 1_500_000, backing: 2_500_000 })
})
