import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { COUNTERS } from '#src/counters.ts'
import { foldCounters } from '#src/platform/database/counters.ts'
import { newId } from '#src/platform/ids.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { ada } from '#src/testing/settings.ts'
import type { NewCompany } from './schema.ts'

let api: TestApp
before(async () => {
  api = await testApp()
})
after(() => api.close())

async function create(company: NewCompany): Promise<string> {
  const { status, body } = await api.call('POST', '/api/companies', company)
  assert.equal(status, 201, JSON.stringify(body))
  return body.data.id
}

/** The names on a page of the list, and its total. */
async function list(query: string): Promise<{ names: string[]; total: number; hasMore: boolean }> {
  const { status, body } = await api.call('GET', `/api/companies?${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  const { total, hasMore } = body.pagination
  return { names: body.data.map((company: { name: string }) => company.name), total, hasMore }
}

test('a new company has defaults and can be read back', async () => {
  const { status, body } = await api.call('POST', '/api/companies', { name: ' Alpha ', country_code: 'de' })
  assert.equal(status, 201)
  assert.match(body.data.id, /^cmp_/)
  assert.equal(body.data.name, 'Alpha')
  assert.equal(body.data.country_code, 'DE')
  assert.equal(body.data.status, 'active')
  assert.equal(body.data.executives, null)
  assert.match(body.data.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

  const detail = await api.call('GET', `/api/companies/${body.data.id}`)
  assert.equal(detail.status, 200)
  const { possible_duplicates, ...created } = body.data
  assert.deepEqual(possible_duplicates, [])
  assert.deepEqual(detail.body.data.company, {
    ...created,
    enriched_data: null,
    enriched_data_error: null,
  })
  assert.equal(detail.body.data.dealflow, null)
  assert.deepEqual(detail.body.data.deals, [])
  const [activity] = detail.body.data.recent_activity
  assert.equal(activity.activity_type, 'company_created')
  assert.equal(activity.entity_id, body.data.id)
  assert.equal(activity.user_email, ada)
})

test('every field is stored unchanged', async () => {
  const fields: NewCompany = {
    name: 'Every <b>Field</b> 🚀 שלום',
    country: 'France',
    country_code: 'FR',
    hq_city: "Saint-Étienne'); drop table companies; --",
    industry_category: 'Energy',
    activity_description: 'Line one\nline two\t"quoted" \\ backslash',
    status: 'on_hold',
    website: 'https://every.example/?a=b',
    founded_year: 1999,
    employee_count: 0,
    revenue_eur: 1_234_567.89,
    llm_score_overall: 100,
    llm_score_details: { reasons: ['a', null, 1.5, { deep: true }] },
    executives: [{ name: 'Zoë' }, 'just a name'],
    financials: { '2024': { revenue_eur: 0.1 } },
  }
  const id = await create(fields)
  const { company } = (await api.call('GET', `/api/companies/${id}`)).body.data
  for (const [field, value] of Object.entries(fields)) assert.deepEqual(company[field], value, field)
})

test('an update changes the given fields, null clears one, and the activity log lists them', async () => {
  const id = await create({ name: 'Before', hq_city: 'Oslo', revenue_eur: 5 })
  const { status, body } = await api.call('PATCH', `/api/companies/${id}`, {
    name: 'After',
    hq_city: null,
    revenue_eur: 5,
  })
  assert.equal(status, 200)
  assert.equal(body.data.name, 'After')
  assert.equal(body.data.hq_city, null)
  assert.equal(body.data.revenue_eur, 5)
  const { recent_activity } = (await api.call('GET', `/api/companies/${id}`)).body.data
  assert.equal(recent_activity[0].activity_type, 'company_updated')
  assert.deepEqual(recent_activity[0].metadata, { fields: ['name', 'hq_city'] })
})

test('an update that changes nothing writes nothing', async () => {
  const id = await create({ name: 'Same', financials: { a: 1, b: 2 } })
  const before = (await api.call('GET', `/api/companies/${id}`)).body.data
  await api.call('PATCH', `/api/companies/${id}`, { name: 'Same', financials: { b: 2, a: 1 } })
  assert.deepEqual((await api.call('GET', `/api/companies/${id}`)).body.data, before)
})

test('an unknown thesis is a 400, and nothing is written', async () => {
  const thesis_id = 'th_01jw3f8x5y1c3e5g7j9m1p3r5t'
  const { total } = await list('limit=1')
  const created = await api.call('POST', '/api/companies', { name: 'X', thesis_id })
  assert.equal(created.status, 400)
  assert.match(created.body.details, /thesis_id .* none has the id th_01jw3f8x5y1c3e5g7j9m1p3r5t/)
  assert.equal((await list('limit=1')).total, total)
  const id = await create({ name: 'Y' })
  assert.equal((await api.call('PATCH', `/api/companies/${id}`, { thesis_id })).status, 400)
})

test('an unknown company is a 404', async () => {
  for (const id of [
    'cmp_01jw3f8x5zfq2v5n6k7m8p9r0s',
    'cmp_nonexistent',
    'th_01jw3f8x5y1c3e5g7j9m1p3r5t',
    '%2e%2e%2fx',
  ]) {
    const { status, body } = await api.call('GET', `/api/companies/${id}`)
    assert.equal(status, 404, id)
    assert.equal(body.error, 'Not found')
    assert.equal((await api.call('PATCH', `/api/companies/${id}`, { name: 'x' })).status, 404)
  }
})

test('the detail lists all deals, newest first, and shows the latest active deal or else the latest', async () => {
  const company_id = await create({ name: 'With deals' })
  const deal = async (status: string) =>
    (await api.call('POST', '/api/dealflow', { company_id, status })).body.data.id
  const shownDeal = async () => (await api.call('GET', `/api/companies/${company_id}`)).body.data.dealflow.id
  const lost = await deal('lost')
  assert.equal(await shownDeal(), lost)
  const active = await deal('active')
  const onHold = await deal('on_hold')
  assert.equal(await shownDeal(), active)
  const other = await create({ name: 'With another deal' })
  await api.call('POST', '/api/dealflow', { company_id: other })
  const { dealflow, deals } = (await api.call('GET', `/api/companies/${company_id}`)).body.data
  assert.deepEqual(
    deals.map(({ id }: { id: string }) => id),
    [onHold, active, lost],
  )
  assert.deepEqual(deals[1], dealflow)
  assert.deepEqual(
    deals,
    (await api.call('GET', `/api/dealflow?company_id=${company_id}`)).body.data,
    'the same as in the list',
  )
})

test('the detail lists at most the newest thousand deals', async () => {
  const company_id = await create({ name: 'With a thousand deals' })
  const oldest = (await api.call('POST', '/api/dealflow', { company_id })).body.data.id
  const values = Array.from({ length: 1000 }, () => ({ id: newId('df'), company_id, stage: 'initial' }))
  await sql`insert into dealflow (id, company_id, stage, status, created_at, updated_at)
    select id, company_id, stage, 'lost', now(), now()
    from json_to_recordset(${JSON.stringify(values)}::json) as row (id text, company_id text, stage text)`.execute(
    api.context.db,
  )
  const { dealflow, deals } = (await api.call('GET', `/api/companies/${company_id}`)).body.data
  assert.equal(deals.length, 1000)
  assert.equal(deals[0].id, values.at(-1)?.id)
  assert.equal(dealflow.id, oldest, 'the only active deal')
})

test('the detail lists the latest ten activity records of the company and its deals', async () => {
  const company_id = await create({ name: 'Busy' })
  const deal = (await api.call('POST', '/api/dealflow', { company_id })).body.data.id
  for (let n = 1; n <= 12; n++) await api.call('PATCH', `/api/dealflow/${deal}`, { probability: n })
  const { recent_activity } = (await api.call('GET', `/api/companies/${company_id}`)).body.data
  assert.equal(recent_activity.length, 10)
  assert.ok(recent_activity.every((record: { entity_id: string }) => record.entity_id === deal))
})

test('filters work alone and combined, with exact totals', async () => {
  const thesis = await api.call('POST', '/api/theses', { code: 'FILTER', title: 'Filter' })
  const thesis_id = thesis.body.data.id
  const common = { industry_category: 'Filtering' }
  const a = await create({
    ...common,
    name: 'F1',
    country_code: 'SE',
    status: 'active',
    llm_score_overall: 80,
  })
  await create({
    ...common,
    name: 'F2',
    country_code: 'SE',
    status: 'inactive',
    llm_score_overall: 40,
    thesis_id,
  })
  await create({ ...common, name: 'F3', country_code: 'NO', status: 'active', thesis_id })
  const expected: [string, string[]][] = [
    ['', ['F3', 'F2', 'F1']],
    ['&country_code=se', ['F2', 'F1']],
    ['&status=active', ['F3', 'F1']],
    ['&status=active&country_code=SE', ['F1']],
    [`&thesis_id=${thesis_id}`, ['F3', 'F2']],
    ['&min_score=41', ['F1']],
    ['&min_score=40', ['F2', 'F1']],
    [`&ids=${a},cmp_unknown`, ['F1']],
    ['&status=unheard_of', []],
  ]
  for (const folded of [false, true]) {
    for (const [query, names] of expected) {
      const found = await list(`industry_category=Filtering${query}`)
      assert.deepEqual(found.names, names, query)
      assert.equal(found.total, names.length, query)
    }
    if (!folded) await foldCounters(api.context.db, COUNTERS)
  }
})

test('totals follow every change of a counted column', async () => {
  const total = async (query: string) => (await list(`industry_category=Counted&${query}`)).total
  const id = await create({ name: 'C', industry_category: 'Counted', status: 'active' })
  assert.equal(await total('status=active'), 1)
  await api.call('PATCH', `/api/companies/${id}`, { status: 'inactive' })
  assert.equal(await total('status=active'), 0)
  assert.equal(await total('status=inactive'), 1)
  await foldCounters(api.context.db, COUNTERS)
  assert.equal(await total('status=inactive'), 1)
  await api.call('PATCH', `/api/companies/${id}`, { industry_category: null })
  assert.equal(await total(''), 0)
  const all = (await list('limit=1')).total
  assert.equal(all, (await api.call('GET', '/api/stats')).body.data.companies_total)
})

test('search matches substrings of name and description, ignoring case and accents', async () => {
  await create({ name: 'Señal Óptica', activity_description: 'Straßenbau und 100%_sichere Wege\\Pfade' })
  await create({ name: 'Яндекс', activity_description: '日本語の銀行' })
  const expected: Record<string, string[]> = {
    senal: ['Señal Óptica'],
    SEÑAL: ['Señal Óptica'],
    'al op': ['Señal Óptica'],
    strassenbau: ['Señal Óptica'],
    '100%_s': ['Señal Óptica'],
    '100%s': [],
    'sichere%wege': [],
    'wege\\pfade': ['Señal Óptica'],
    ндекс: ['Яндекс'],
    銀行: ['Яндекс'],
    '％': ['Señal Óptica'],
    'zzz-nothing': [],
  }
  for (const [search, names] of Object.entries(expected)) {
    const found = await list(`search=${encodeURIComponent(search)}`)
    assert.deepEqual(found.names, names, search)
    assert.equal(found.total, names.length, search)
  }
  assert.equal((await list('search=')).total, (await list('limit=1')).total)
})

test('the cached total of a search is discarded after a change', async () => {
  const total = async () => (await list('search=perishable')).total
  assert.equal(await total(), 0)
  const id = await create({ name: 'Perishable goods' })
  assert.equal(await total(), 1)
  await api.call('PATCH', `/api/companies/${id}`, { name: 'Durable goods' })
  assert.equal(await total(), 0)
})

test('in every sort order, the pages list each company once', async () => {
  for (let n = 0; n < 7; n++)
    await create({ name: `Page ${n % 3}`, industry_category: 'Paging', revenue_eur: n % 2 ? n % 4 : null })
  const expected = (await list('industry_category=Paging&limit=1000')).names.sort()
  for (const sort of [
    'created_at',
    'updated_at',
    'name',
    'llm_score_overall',
    'revenue_eur',
    'founded_year',
    'employee_count',
  ])
    for (const direction of ['', '-'])
      for (const search of ['', '&search=page']) {
        const seen: string[] = []
        for (let offset = 0; offset < 9; offset += 3) {
          const query = `industry_category=Paging&limit=3&sort=${direction}${sort}${search}`
          const { names, total, hasMore } = await list(`${query}&offset=${offset}`)
          assert.equal(total, 7)
          assert.equal(hasMore, offset + 3 < 7)
          seen.push(...names)
        }
        assert.deepEqual(seen.sort(), expected, `${direction}${sort}${search}`)
      }
})

test('lists are newest first by default, ignore case in names, and put blanks last in descending order', async () => {
  for (const [name, revenue_eur] of [
    ['b', 2],
    ['A', null],
    ['C', 1],
  ] as const)
    await create({ name, revenue_eur, industry_category: 'Ordering' })
  const sorted = async (sort: string) => (await list(`industry_category=Ordering${sort}`)).names.join('')
  assert.equal(await sorted(''), 'CAb')
  assert.equal(await sorted('&sort=created_at'), 'bAC')
  assert.equal(await sorted('&sort=name'), 'AbC')
  assert.equal(await sorted('&sort=-revenue_eur'), 'bCA')
  assert.equal(await sorted('&sort=revenue_eur'), 'ACb')
})

test('an offset beyond the end is an empty page with the right total', async () => {
  const { total } = await list('limit=1')
  for (const offset of [total, total + 1, 5000, Number.MAX_SAFE_INTEGER]) {
    const page = await list(`offset=${offset}`)
    assert.deepEqual(page, { names: [], total, hasMore: false })
  }
})

test('an invalid query is a 400 that names the parameter', async () => {
  const wrong: Record<string, RegExp> = {
    'limit=-1': /limit must be a whole number from 0 to 1000, not -1/,
    'limit=1e3': /limit .* not "1e3"/,
    'limit=abc': /limit/,
    'limit=1&limit=2': /limit must appear only once/,
    'offset=-1': /offset/,
    'offset=1.5': /offset/,
    'sort=password': /^sort\[0\]\.field must be the name of a field to sort by, not "password"/,
    'min_score=high': /min_score/,
    'serach=x': /serach is not a known query parameter/,
    'search=%00': /search must not contain the NUL character/,
  }
  for (const [query, message] of Object.entries(wrong)) {
    const { status, body } = await api.call('GET', `/api/companies?${query}`)
    assert.equal(status, 400, query)
    assert.equal(body.error, 'Validation failed')
    assert.match(body.details, message, query)
  }
})
