import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { testApp } from '#src/testing/app.ts'

const api = await testApp()
after(() => api.close())

const KB = 1024
const jsonOf = (bytes: number) => ({ note: 'x'.repeat(bytes - '{"note":""}'.length) })

test('a JSON value is at most 64 KB', async () => {
  const fits = await api.call('POST', '/api/companies', { name: 'Fits', financials: jsonOf(64 * KB) })
  assert.equal(fits.status, 201)
  for (const [field, value] of [
    ['financials', jsonOf(64 * KB + 1)],
    ['executives', [jsonOf(64 * KB)]],
    ['llm_score_details', jsonOf(200 * KB)],
  ] as const) {
    for (const [method, url] of [
      ['POST', '/api/companies'],
      ['PATCH', `/api/companies/${fits.body.data.id}`],
    ] as const) {
      const { status, body } = await api.call(method, url, { name: 'Large', [field]: value })
      assert.equal(status, 400)
      assert.match(body.details, new RegExp(`^${field} must be at most 65536 bytes of JSON, not \\d+\\.$`))
    }
  }
})

test('the size is that of UTF-8', async () => {
  const financials = { note: 'é'.repeat(40 * KB) }
  const { status } = await api.call('POST', '/api/companies', { name: 'Accents', financials })
  assert.equal(status, 400)
})

test('an import leaves a value blank that is too large', async () => {
  const csv = `name,financials\nSmall value,"{""a"":1}"\nLarge value,"${JSON.stringify(jsonOf(65 * KB)).replaceAll('"', '""')}"\n`
  const { status, body } = await api.call('POST', '/api/companies/import', csv, {
    headers: { 'content-type': 'text/csv', 'x-user-email': 'ada@fund.example' },
    payload: csv,
  })
  assert.equal(status, 200)
  assert.equal(body.data.created, 2)
  assert.match(body.data.bad_cells[0].message, /^financials must be .* up to 65,536 bytes/)
})

test('values that were stored before there was a limit are shortened, kept as they are, and exported whole', async () => {
  const { body } = await api.call('POST', '/api/companies', { name: 'Legacy' })
  const { id } = body.data
  const [financials, executives] = [jsonOf(1024 * KB), [jsonOf(100 * KB)]]
  await sql`update companies set financials = ${JSON.stringify(financials)}, executives = ${JSON.stringify(executives)}
    where id = ${id}`.execute(api.context.db)
  const list = await api.call('GET', '/api/companies?search=Legacy')
  assert.deepEqual(list.body.data[0].financials, { truncated: true, bytes: 1024 * KB })
  assert.deepEqual(list.body.data[0].executives, [
    { truncated: true, bytes: JSON.stringify(executives).length },
  ])
  const detail = await api.call('GET', `/api/companies/${id}`)
  const { company } = detail.body.data
  assert.deepEqual(company.financials, { truncated: true, bytes: 1024 * KB })
  const renamed = await api.call('PATCH', `/api/companies/${id}`, {
    name: 'Legacy renamed',
    financials: company.financials,
    executives: company.executives,
  })
  assert.equal(renamed.status, 200)
  const file = await api.app.inject({
    url: '/api/companies/export',
    headers: { 'x-user-email': 'ada@fund.example' },
  })
  // Not includes(): finding a million times the same letter in such letters takes minutes.
  assert.ok(file.body.split('"').some((part) => part === financials.note))
})

test('a page of more than 16 MB is refused, an export of it is not', async () => {
  const rows = 300
  await sql`insert into companies (id, name, status, financials, executives, created_at, updated_at)
    select 'cmp_large' || n, 'Large ' || n, 'active', ${JSON.stringify(jsonOf(60 * KB))}::json,
      '[]', now(), now() from generate_series(1, ${rows}) n`.execute(api.context.db)
  const { status, body } = await api.call('GET', '/api/companies?search=Large&limit=1000')
  assert.equal(status, 400)
  assert.match(body.details, /^limit must be lower: .* 16 MB/)
  const page = await api.call('GET', '/api/companies?search=Large&limit=100')
  assert.equal(page.status, 200)
  assert.equal(page.body.data.length, 100)
  const file = await api.app.inject({
    url: '/api/companies/export',
    headers: { 'x-user-email': 'ada@fund.example' },
  })
  assert.equal(file.statusCode, 200)
  assert.equal(file.body.split('cmp_large').length - 1, rows)
})
