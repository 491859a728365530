import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChatRequest } from '#dev/language-model-endpoint.ts'
import type { StoredProfile } from '#src/features/companies/detail/profile-schema.ts'
import { profileKey } from '#src/features/companies/files.ts'
import {
  byModel,
  createCompany,
  detail,
  ended,
  endpoint,
  materialIn,
  modelIsCalled,
  pages,
  recordIn,
  run,
  start,
  startBeforeTests,
  storage,
} from './language-models.fixture.ts'

startBeforeTests()

const fact = (value: unknown, source: string, confidence = 0.9) => ({ value, source, confidence })
const NOTHING = Object.fromEntries(
  [
    'summary',
    'business_model',
    'products',
    'customers',
    'competitors',
    'executives',
    'financials',
    'locations',
    'industry',
    'founded_year',
    'employee_count',
  ].map((name) => [name, null]),
)

test('a profile stores the source, confidence and date of each fact and fills empty fields', async () => {
  const imported = await byModel.call('POST', '/api/companies/import', undefined, {
    payload: 'name,website,founded,motto\nLoomworks,https://loomworks.com,,Since 1987\n',
    headers: { 'content-type': 'text/csv' },
  })
  assert.equal(imported.body.data.created, 1)
  const [{ id }] = (await byModel.call('GET', '/api/companies?search=Loomworks')).body.data
  await byModel.call('PATCH', `/api/companies/${id}`, { industry_category: 'Textiles' })
  pages['https://loomworks.com'] = 'Looms for mills. Ada Weaver, CEO. Oslo, Norway. 40 people.'
  endpoint.answer = () =>
    JSON.stringify({
      ...NOTHING,
      summary: fact('It makes looms for mills.', 'website'),
      industry: fact('Machines', 'website', 1),
      products: fact(['Loom 2', ''], 'website'),
      executives: fact([{ name: 'Ada Weaver', title: 'CEO' }], 'website'),
      competitors: fact(['Spinco'], 'model', 0.8),
      locations: fact([{ city: 'Oslo', country: 'Norway', is_headquarters: true }], 'website'),
      founded_year: fact(1987, 'source_csv'),
      employee_count: fact(4000, 'website', 1),
      financials: fact([{ year: 2025, revenue_eur: 5e6, ebitda_eur: null }], 'website', 0.9),
    })
  const action = await run(byModel, 'enrich_profile', [id])
  assert.deepEqual([action.status, action.usage.calls], ['completed', 1])
  const { company, recent_activity } = await detail(byModel, id)
  const profile = company.enriched_data as StoredProfile
  assert.deepEqual(
    { ...profile.summary, date: '' },
    { ...fact('It makes looms for mills.', 'website'), date: '' },
  )
  assert.match(profile.summary?.date ?? '', /^\d{4}-.*Z$/)
  assert.deepEqual(profile.products?.value, ['Loom 2'])
  assert.equal(profile.customers, null)
  assert.deepEqual([profile.competitors?.source, profile.competitors?.confidence], ['model', 0.4])
  assert.deepEqual(
    [profile.employee_count?.source, profile.employee_count?.confidence],
    ['model', 0.4],
    'a number that the website does not contain',
  )
  assert.deepEqual(profile.website, {
    url: 'https://loomworks.com',
    read_at: '2026-03-02T09:30:04.000Z',
    reason: null,
  })
  const { hq_city, country_code, founded_year, employee_count, executives, revenue_eur } = company
  assert.deepEqual(
    [company.activity_description, company.industry_category, hq_city, country_code, founded_year],
    ['It makes looms for mills.', 'Textiles', 'Oslo', 'NO', 1987],
  )
  assert.deepEqual(
    [employee_count, revenue_eur, executives],
    [null, null, [{ name: 'Ada Weaver', title: 'CEO' }]],
  )
  const filled = ['activity_description', 'country', 'country_code', 'executives', 'founded_year', 'hq_city']
  assert.deepEqual(Object.keys(profile.filled).toSorted(), filled)
  assert.equal(recent_activity[0].activity_type, 'company_enriched')
  assert.deepEqual(recent_activity[0].metadata.fields.toSorted(), filled)
  const [request] = endpoint.requests
  assert.match(JSON.parse(materialIn(request as ChatRequest, 'source_csv')), /Since 1987/)
  assert.match(JSON.parse(materialIn(request as ChatRequest, 'website')), /Looms for mills/)
})

test('enrichment never overwrites what people entered', async () => {
  const entered = {
    name: 'Entered',
    country: 'Sweden',
    country_code: 'SE',
    activity_description: 'By hand.',
    employee_count: 0,
    executives: [{ name: 'Bo' }],
  }
  const id = await createCompany(byModel, entered)
  endpoint.answer = () =>
    JSON.stringify({
      ...NOTHING,
      summary: fact('Another text.', 'record'),
      locations: fact([{ city: 'Sweden', country: 'Norway', is_headquarters: true }], 'record'),
      employee_count: fact(0, 'record'),
    })
  await run(byModel, 'enrich_profile', [id])
  const { company } = await detail(byModel, id)
  assert.deepEqual({ ...company, ...entered }, company)
  assert.equal(company.hq_city, null, "a city in a country other than the company's")
  assert.deepEqual(company.enriched_data.filled, {})
})

test('a website that cannot be read is stored with the reason and cannot be a source', async () => {
  const id = await createCompany(byModel, { name: 'Gone', website: 'https://gone.com' })
  endpoint.answer = ({ messages }) =>
    JSON.stringify({ ...NOTHING, summary: fact('Gone.', messages.length === 2 ? 'website' : 'record') })
  const action = await run(byModel, 'enrich_profile', [id])
  assert.deepEqual([action.status, action.usage.calls], ['completed', 2])
  assert.match(
    endpoint.requests[1]?.messages[3]?.content ?? '',
    /summary\.source must be one of record, model/,
  )
  const { website, summary } = (await detail(byModel, id)).company.enriched_data
  assert.deepEqual([website.read_at, website.reason], [null, 'The website responded with status 404.'])
  assert.equal(summary.source, 'record')
})

test('the worker waits while object storage rejects writes, and nothing is lost or half written', async () => {
  const id = await createCompany(byModel, { name: 'Stored', activity_description: 'Keeps things.' })
  endpoint.answer = () => JSON.stringify({ ...NOTHING, industry: fact('Storage', 'record') })
  storage.rejectsWrites = true
  const action = await start(byModel, 'enrich_profile', [id])
  await ended(byModel, action, ({ waiting_for }) => /object storage does not accept/.test(waiting_for ?? ''))
  assert.equal((await detail(byModel, id)).company.industry_category, null)
  storage.rejectsWrites = false
  const { status, processed_companies, usage } = await ended(byModel, action)
  assert.deepEqual([status, processed_companies, usage.calls], ['completed', 1, 1])
  assert.equal((await detail(byModel, id)).company.industry_category, 'Storage')
  assert.ok(await byModel.context.objects.read(profileKey(id)))
})

test('made-up figures and places fill no field, and filled fields are not evidence for themselves', async () => {
  const id = await createCompany(byModel, {
    name: 'Landlos',
    country: 'Norway',
    activity_description: 'Makes bolts since 2024, with 40 people in Oslo. Pays 1,500 to each.',
  })
  endpoint.answer = () =>
    JSON.stringify({
      ...NOTHING,
      financials: fact([{ year: 2024, revenue_eur: 5_000_000, ebitda_eur: null }], 'record'),
      locations: fact([{ city: null, country: 'Sweden', is_headquarters: true }], 'record'),
      employee_count: fact(40, 'record'),
      executives: fact([{ name: 'Nobody Known', title: 'CEO' }], 'record'),
    })
  await run(byModel, 'enrich_profile', [id])
  const { company } = await detail(byModel, id)
  assert.deepEqual(
    [company.revenue_eur, company.financials, company.country, company.country_code, company.executives],
    [null, null, 'Norway', null, null],
  )
  assert.equal(company.employee_count, 40)
  endpoint.answer = (request) =>
    JSON.stringify({
      ...NOTHING,
      employee_count: recordIn(request).employee_count && fact(recordIn(request).employee_count, 'record'),
    })
  await run(byModel, 'enrich_profile', [id])
  const again = (await detail(byModel, id)).company
  assert.deepEqual(
    [again.enriched_data.employee_count, again.enriched_data.filled],
    [null, { employee_count: 40 }],
  )
  await byModel.call('PATCH', `/api/companies/${id}`, { employee_count: 41 })
  await run(byModel, 'enrich_profile', [id])
  const changed = (await detail(byModel, id)).company
  assert.deepEqual([changed.enriched_data.employee_count.value, changed.enriched_data.filled], [41, {}])
})

test('an edit during enrichment wins', async () => {
  const id = await createCompany(byModel, { name: 'Edited', activity_description: 'Edited, with 12 people.' })
  const edited = Promise.withResolvers<void>()
  endpoint.failWith = () => ({ after: edited.promise })
  endpoint.answer = () => JSON.stringify({ ...NOTHING, employee_count: fact(12, 'record') })
  const action = await start(byModel, 'enrich_profile', [id])
  await modelIsCalled()
  await byModel.call('PATCH', `/api/companies/${id}`, { employee_count: 13 })
  edited.resolve()
  await ended(byModel, action)
  assert.equal((await detail(byModel, id)).company.employee_count, 13)
})

test('an import still matches a company after enrichment', async () => {
  const payload = 'name,description\nReimported,Makes wool in Bergen\n'
  const send = (text: string) =>
    byModel.call('POST', '/api/companies/import', undefined, {
      payload: text,
      headers: { 'content-type': 'text/csv' },
    })
  await send(payload)
  const [{ id }] = (await byModel.call('GET', '/api/companies?search=Reimported')).body.data
  endpoint.answer = () =>
    JSON.stringify({
      ...NOTHING,
      locations: fact([{ city: 'Bergen', country: 'Norway', is_headquarters: true }], 'record'),
    })
  await run(byModel, 'enrich_profile', [id])
  assert.equal((await detail(byModel, id)).company.country_code, 'NO')
  const again = await send(payload.replace('wool', 'yarn'))
  assert.deepEqual([again.body.data.created, again.body.data.updated], [0, 1])
  assert.equal((await send(payload)).body.data.created, 0)
})
