import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { CustomFields } from './custom-fields.ts'
import { removeDeletedValues } from './remove-values.ts'
import { CUSTOM_FIELD_TYPES, type CustomField, MAX_CUSTOM_FIELDS } from './schema.ts'

let service: TestApp

before(async () => {
  service = await testApp()
})
after(() => service.close())

const running = new AbortController().signal
let fields = 0
let companies = 0

async function newField(input: object = {}): Promise<CustomField> {
  const field = { entity: 'company', label: `Field ${++fields}`, type: 'text', ...input }
  const { status, body } = await service.call('POST', '/api/fields', field)
  assert.equal(status, 201, body.details)
  return body.data
}

async function newCompany(custom: object = {}): Promise<{ id: string; custom: Record<string, unknown> }> {
  const { status, body } = await service.call('POST', '/api/companies', {
    name: `Looms ${++companies}`,
    custom,
  })
  assert.equal(status, 201, body.details)
  return body.data
}

const customOf = async (id: string): Promise<Record<string, unknown>> =>
  (await service.call('GET', `/api/companies/${id}`)).body.data.company.custom

const patch = (id: string, custom: object) => service.call('PATCH', `/api/companies/${id}`, { custom })

async function importCsv(csv: string, query: Record<string, string> = {}) {
  const { status, body } = await service.call('POST', '/api/companies/import', csv, {
    headers: { 'content-type': 'text/csv', 'x-user-email': 'ada@example.com' },
    query,
  })
  assert.equal(status, 200, body.details)
  return body.data
}

const exportCsv = async (ids: string): Promise<string> =>
  (await service.call('GET', `/api/companies/export?ids=${ids}`)).body

const undo = async (actionId: unknown) =>
  (await service.call('POST', `/api/actions/${actionId}/undo`, {})).body.data

test('a field is created, renamed, archived, and deleted with its values', async () => {
  const field = await newField({ label: 'Größe', type: 'number' })
  assert.match(field.id, /^fld_/)
  assert.equal(field.key, 'gro_e')
  const { id } = await newCompany({ gro_e: 12 })
  const path = `/api/fields/${field.id}`

  const renamed = await service.call('PATCH', path, { ...field, label: 'Size' })
  const { updated_at, ...others } = renamed.body.data
  assert.deepEqual({ ...others, updated_at: field.updated_at }, { ...field, label: 'Size' })
  const headers = { 'x-user-email': 'ada@example.com', 'if-match': `"${field.updated_at}"` }
  const outdated = await service.call('PATCH', path, { label: 'Length' }, { headers })
  assert.equal(outdated.status, 412)
  headers['if-match'] = `"${updated_at}"`
  assert.equal((await service.call('PATCH', path, { label: 'Size' }, { headers })).status, 200)
  const early = await service.call('DELETE', path)
  assert.equal(early.status, 409)
  assert.match(early.body.details, /must be archived before it is deleted/)

  assert.equal((await service.call('PATCH', path, { archived: true })).body.data.archived, true)
  assert.match((await patch(id, { gro_e: 13 })).body.details, /custom\.gro_e is archived/)
  assert.equal((await patch(id, { gro_e: 12 })).status, 200, 'sent back unchanged')
  const refused = await service.call('DELETE', path)
  assert.equal(refused.status, 409)
  assert.match(refused.body.details, /removes the values of 1 company\. .* confirm=true/)
  assert.equal((await service.call('DELETE', `${path}?confirm=true`)).status, 204)
  assert.equal((await service.call('DELETE', path)).status, 404)
  assert.equal((await patch(id, { gro_e: 13 })).status, 400)
  assert.equal(
    (await service.call('POST', '/api/fields', { entity: 'company', label: 'x', key: 'gro_e', type: 'text' }))
      .status,
    409,
    'its key is free when its values are removed',
  )

  await removeDeletedValues(service.context, running)
  assert.deepEqual(await customOf(id), {})
  await newField({ key: 'gro_e' })
})

test('fields with built-in, dangerous, or taken names and the 201st field are refused', async () => {
  const create = (input: object) =>
    service.call('POST', '/api/fields', {
      entity: 'deal',
      type: 'text',
      label: `L${Math.random()}`,
      ...input,
    })
  for (const key of ['stage', 'company_name', 'id', 'custom', 'constructor', 'owner_email']) {
    const { status, body } = await create({ key })
    assert.equal(status, 400, key)
    assert.match(body.details, /key must not be the name of a built-in field/)
  }
  for (const key of ['__proto__', '1st', 'ä', 'x'.repeat(61)]) {
    const { status, body } = await create({ key })
    assert.equal(status, 400, key)
    assert.match(body.details, /key must be/)
  }
  assert.equal((await create({ key: 'region', label: 'Region' })).status, 201)
  assert.match((await create({ key: 'region' })).body.details, /key must be unique/)
  assert.match((await create({ label: ' region' })).body.details, /label must be unique/)
  assert.match((await create({ options: [{ label: 'x' }] })).body.details, /options are only for/)
  assert.match(
    (await create({ type: 'money', currency: 'usd' })).body.details,
    /^currency must be three capital letters, such as EUR, not "usd"\.$/,
  )
  assert.match(
    (await create({ type: 'select', options: ['W24'] })).body.details,
    /^options\[0\] must be an object such as \{"label": …\}, not "W24"\.$/,
  )
  assert.match((await create({ currency: 'USD' })).body.details, /currency is only for/)
  await sql`
    insert into fields (id, entity, key, label, type, options, required, created_at, updated_at)
    select 'fld_' || n, 'deal', 'bulk_' || n, 'Bulk ' || n, 'text', '[]', false, now(), now()
    from generate_series(1, ${MAX_CUSTOM_FIELDS - 1}) n`.execute(service.context.db)
  const beyond = await create({})
  assert.equal(beyond.status, 409)
  assert.match(beyond.body.details, /already has 200 custom fields, including archived ones/)
  await sql`delete from fields where key like 'bulk\\_%'`.execute(service.context.db)
})

test('values are in the list, the detail, and the history, and are changed by key', async () => {
  const one = await newField()
  const two = await newField({ type: 'multi_select', options: [{ label: 'B' }, { label: 'A' }] })
  const [b, a] = two.options.map((option) => option.id)
  const { id, custom } = await newCompany({ [one.key]: ' x ', [two.key]: ['A', b] })
  assert.deepEqual(custom, { [one.key]: 'x', [two.key]: [b, a] })
  const changed = await patch(id, { [one.key]: 'y' })
  assert.deepEqual(changed.body.data.custom, { [one.key]: 'y', [two.key]: [b, a] })
  assert.deepEqual(await customOf(id), changed.body.data.custom)
  const list = await service.call('GET', `/api/companies?ids=${id}`)
  assert.deepEqual(list.body.data[0].custom, changed.body.data.custom)
  const same = await patch(id, { [two.key]: ['B', 'A'] })
  assert.equal(same.headers['x-action-id'], undefined, 'nothing has changed')
  const cleared = await patch(id, { [two.key]: null })
  assert.deepEqual(cleared.body.data.custom, { [one.key]: 'y' })

  const history = (await service.call('GET', `/api/companies/${id}/history`)).body.data
  assert.deepEqual(
    history.map(({ field, from, to }: Record<string, unknown>) => ({ field, from, to })),
    [
      { field: `custom.${two.key}`, from: [b, a], to: null },
      { field: `custom.${one.key}`, from: 'x', to: 'y' },
    ],
  )
  const at = history[1].timestamp
  const past = await service.call('GET', `/api/companies/${id}?as_of=${at}`)
  assert.deepEqual(past.body.data.company.custom, { [one.key]: 'y', [two.key]: [b, a] })

  assert.equal((await undo(changed.headers['x-action-id'])).reverted, 1)
  assert.deepEqual(await customOf(id), { [one.key]: 'x' })
  assert.equal((await undo(cleared.headers['x-action-id'])).reverted, 1)
  assert.deepEqual(await customOf(id), { [one.key]: 'x', [two.key]: [b, a] })
})

test('many companies are changed at once, and back', async () => {
  const field = await newField({ type: 'boolean' })
  const other = await newField()
  const ids = [(await newCompany({ [field.key]: true })).id, (await newCompany({ [other.key]: 'kept' })).id]
  const change = (custom: object) => service.call('PATCH', '/api/companies', { ids, changes: { custom } })
  const { body } = await change({ [field.key]: true })
  assert.deepEqual([body.data.updated, body.data.unchanged], [1, 1])
  assert.deepEqual(await customOf(ids[1] as string), { [other.key]: 'kept', [field.key]: true })
  await undo(body.data.action_id)
  assert.deepEqual(await customOf(ids[1] as string), { [other.key]: 'kept' })
  const wrong = await change({ [field.key]: 'perhaps' })
  assert.equal(wrong.status, 400)
  assert.match(wrong.body.details, /must be true or false or null, not "perhaps"/)
})

test('deals have custom fields of their own', async () => {
  const field = await newField({ entity: 'deal', type: 'date', key: 'closing', label: 'Closing' })
  const { id: company_id } = await newCompany()
  const created = await service.call('POST', '/api/dealflow', {
    company_id,
    custom: { closing: '2026-05-01' },
  })
  assert.deepEqual(created.body.data.custom, { closing: '2026-05-01' })
  const path = `/api/dealflow/${created.body.data.id}`
  const { status, headers, body } = await service.call('PATCH', path, {
    ...created.body.data,
    custom: { closing: '2026-06-01' },
  })
  assert.equal(status, 200, body.details)
  const { data } = (await service.call('GET', `${path}/history`)).body
  assert.deepEqual([data[0].field, data[0].from, data[0].to], ['custom.closing', '2026-05-01', '2026-06-01'])
  assert.equal((await undo(headers['x-action-id'])).reverted, 1)
  assert.deepEqual((await service.call('GET', path)).body.data.custom, { closing: '2026-05-01' })
  assert.match(
    (await service.call('PATCH', path, { custom: { closing: 'soon' } })).body.details,
    /custom\.closing must be a date such as 2026-03-31 or null, not "soon"/,
  )
  await service.call('PATCH', `/api/fields/${field.id}`, { archived: true })
})

test('a required field is needed by new companies only', async () => {
  const old = await newCompany()
  const field = await newField({ required: true, label: 'Source' })
  const { status, body } = await service.call('POST', '/api/companies', { name: 'Without' })
  assert.equal(status, 400)
  assert.equal(body.details, 'custom.source (Source) is required.')
  assert.equal((await service.call('PATCH', `/api/companies/${old.id}`, { status: 'inactive' })).status, 200)
  const report = await importCsv(
    'name,website,source\nNeeds,https://needs.example,\nHas,https://has.example,Fair\n',
  )
  assert.deepEqual([report.created, report.failed], [1, 1])
  assert.equal(report.errors[0].message, 'custom.source (Source) is required.')
  await service.call('PATCH', `/api/fields/${field.id}`, { required: false })
})

test('removing options that records have needs a confirmation', async () => {
  const field = await newField({
    type: 'multi_select',
    options: [{ label: 'One' }, { label: 'Two' }, { label: 'Three' }],
  })
  const [one, two, three] = field.options
  const both = await newCompany({ [field.key]: ['One', 'Two'] })
  const single = await newCompany({ [field.key]: ['One'] })
  const path = `/api/fields/${field.id}`
  assert.equal((await service.call('PATCH', path, { options: [two, one] })).status, 200, 'nobody has Three')
  const refused = await service.call('PATCH', path, { options: [two] })
  assert.equal(refused.status, 409)
  assert.match(refused.body.details, /^2 companies have an option of Field \d+ that is missing/)
  const { body } = await service.call('PATCH', path, { options: [two], confirm: true })
  assert.deepEqual(body.data.options, [two])
  await removeDeletedValues(service.context, running)
  assert.deepEqual(await customOf(both.id), { [field.key]: [two?.id] })
  assert.deepEqual(await customOf(single.id), {})
  assert.equal((await patch(single.id, { [field.key]: [three?.id] })).status, 400)
})

test('an undo skips deleted fields and values that are no longer allowed, and lists them', async () => {
  const kept = await newField({ type: 'select', options: [{ label: 'One' }, { label: 'Two' }] })
  const gone = await newField()
  const { id } = await newCompany({ [kept.key]: 'One', [gone.key]: 'a' })
  const { headers } = await patch(id, { [kept.key]: 'Two', [gone.key]: 'b' })
  await service.call('PATCH', `/api/fields/${gone.id}`, { archived: true })
  await service.call('DELETE', `/api/fields/${gone.id}?confirm=true`)
  await service.call('PATCH', `/api/fields/${kept.id}`, { options: [kept.options[1]] })
  const { reverted, skipped } = await undo(headers['x-action-id'])
  assert.equal(reverted, 0)
  assert.deepEqual(
    skipped.map(({ field, reason }: Record<string, unknown>) => [field, reason]).sort(),
    [
      [`custom.${gone.key}`, 'field_missing'],
      [`custom.${kept.key}`, 'value_not_allowed'],
    ].sort(),
  )
})

test('a company comes back from the trash with the values that are still allowed', async () => {
  const [kept, gone] = [await newField(), await newField()]
  const { id } = await newCompany({ [kept.key]: 'a', [gone.key]: 'b' })
  await service.call('DELETE', `/api/companies/${id}`)
  await service.call('PATCH', `/api/fields/${gone.id}`, { archived: true })
  await service.call('DELETE', `/api/fields/${gone.id}`)
  await removeDeletedValues(service.context, running)
  assert.equal((await service.call('POST', `/api/trash/${id}/restore`)).status, 200)
  assert.deepEqual(await customOf(id), { [kept.key]: 'a' })
})

test('an import fills existing fields, and leaves a wrong value blank', async () => {
  const field = await newField({ type: 'date', label: 'First call' })
  const mapped = await newField({ type: 'money' })
  const csv = `name,website,First Call,Deal size\nOne,https://one-cf.example,1.3.2026,€1.5m\nTwo,https://two-cf.example,soon,3\n`
  const report = await importCsv(csv, { mapping: JSON.stringify({ [`custom.${mapped.key}`]: 'Deal size' }) })
  assert.deepEqual([report.created, report.failed], [2, 0])
  assert.deepEqual(report.columns[`custom.${field.key}`], ['First Call'])
  assert.deepEqual(
    report.bad_cells.map(({ row, column, value, message }: Record<string, unknown>) => [
      ...[row, column, value],
      String(message).startsWith(`custom.${field.key} must be a date`),
    ]),
    [[3, 'First Call', 'soon', true]],
  )
  const { data } = (await service.call('GET', '/api/companies?limit=2')).body
  const [two, one] = data
  assert.deepEqual(one.custom, { [field.key]: '2026-03-01', [mapped.key]: 1_500_000 })
  assert.deepEqual(two.custom, { [mapped.key]: 3 })
  const unknown = await service.call('POST', '/api/companies/import', csv, {
    headers: { 'content-type': 'text/csv' },
    query: { mapping: JSON.stringify({ 'custom.nope': 'Deal size' }) },
  })
  assert.equal(unknown.status, 400)
  assert.match(unknown.body.details, /mapping\.custom\.nope is not a known custom field/)
})

test('an import creates fields of a guessed type, and their options', async () => {
  const rows = Array.from(
    { length: 60 },
    (_value, n) =>
      `Batch ${n},https://batch-${n}.example,${n % 2 ? 'Winter' : 'Summer'} 2026,${n},"AI; ${n % 3 ? 'Health' : 'Energy'}",x${n}`,
  )
  const csv = `name,website,Batch,Rank,Topics,Stage name\n${rows.join('\n')}\n`
  const mapping = JSON.stringify({
    'custom.yc_batch': { column: 'Batch' },
    'custom.rank': { column: 'Rank' },
    'custom.topics': { column: 'Topics' },
    'custom.phase': { column: 'Stage name', label: 'Phase', type: 'select' },
  })
  const preview = await importCsv(csv, { mapping, dry_run: 'true' })
  assert.deepEqual([preview.created, preview.failed], [60, 0])
  assert.equal((await patch((await newCompany()).id, { rank: 1 })).status, 400, 'a dry run creates nothing')
  const report = await importCsv(csv, { mapping })
  assert.deepEqual([report.created, report.failed, report.ignored_columns], [60, 0, []])
  assert.deepEqual(
    report.new_fields.map(({ key, label, type }: CustomField) => [key, label, type]),
    [
      ['yc_batch', 'Batch', 'select'],
      ['rank', 'Rank', 'number'],
      ['topics', 'Topics', 'multi_select'],
      ['phase', 'Phase', 'select'],
    ],
  )
  const current = service.context.customFields.of('company')
  assert.deepEqual(
    current.get('yc_batch')?.options.map(({ label }) => label),
    ['Summer 2026', 'Winter 2026'],
  )
  assert.equal(current.get('phase')?.options.length, 60)
  const again = await importCsv(csv, { mapping })
  assert.deepEqual([again.unchanged, again.failed, again.new_fields], [60, 0, []])

  const facets = await service.call('GET', '/api/companies/facets?custom=yc_batch,topics')
  const counts = (key: string) =>
    facets.body.data.custom[key]
      .filter(({ value }: { value: string | null }) => value !== null)
      .map(({ label, count }: { label: string; count: number }) => [label, count])
  assert.deepEqual(counts('yc_batch'), [
    ['Summer 2026', 30],
    ['Winter 2026', 30],
  ])
  assert.deepEqual(counts('topics'), [
    ['AI', 60],
    ['Health', 40],
    ['Energy', 20],
  ])
  assert.match(
    (await service.call('GET', '/api/companies/facets?custom=rank')).body.details,
    /must be keys of custom fields/,
  )
})

test('an exported file with a field of every type changes nothing when it is imported again', async () => {
  const byType = new Map<string, CustomField>()
  for (const type of CUSTOM_FIELD_TYPES)
    byType.set(
      type,
      await newField({
        type,
        ...(type.endsWith('select') && { options: [{ label: 'A; B' }, { label: '=1' }, { label: '["x"]' }] }),
      }),
    )
  const keyOf = (type: string) => byType.get(type)?.key as string
  const values: Record<string, unknown> = {
    text: '=1+1, "quoted"',
    long_text: "'two\n\nlines",
    number: -0.000_000_1,
    money: 1_234_567.89,
    date: '0099-12-31',
    boolean: false,
    select: '["x"]',
    multi_select: ['A; B', '=1'],
    url: 'https://example.com/ä?b=1',
    email: 'ada@example.com',
    user: 'grace@example.com',
  }
  const input = Object.fromEntries(Object.entries(values).map(([type, value]) => [keyOf(type), value]))
  await service.call('GET', `/api/users/${values.user}`)
  const full = await newCompany(input)
  const empty = await newCompany()
  const csv = await exportCsv(`${full.id},${empty.id}`)
  assert.match(csv.split('\r\n', 1)[0] as string, new RegExp(`custom\\.${keyOf('date')}`))
  const report = await importCsv(csv)
  assert.deepEqual([report.unchanged, report.updated, report.failed], [2, 0, 0])
  await service.call('DELETE', `/api/companies/${full.id}`)
  await service.call('DELETE', `/api/trash/${full.id}`)
  const restored = await importCsv(csv)
  assert.deepEqual([restored.created, restored.errors], [1, []])
  assert.deepEqual(await customOf(full.id), full.custom)
})

test('another process follows changes of the definitions', async () => {
  const other = new CustomFields(service.context.probeDb)
  await other.refresh()
  const field = await newField({ label: 'Seen elsewhere' })
  assert.equal(other.of('company').has(field.key), false)
  const locked = await service.context.db
    .transaction()
    .execute((transaction) => other.lock(transaction, 'company'))
  assert.ok(locked.has(field.key), 'a write sees it at once')
  await service.call('PATCH', `/api/fields/${field.id}`, { archived: true })
  await other.refresh()
  assert.equal(other.of('company').get(field.key)?.archived, true)
})
