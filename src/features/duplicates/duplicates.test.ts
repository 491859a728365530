import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { type Answer, type TestApp, testApp } from '#src/testing/app.ts'
import { ada } from '#src/testing/settings.ts'
import { pairId } from './compare.ts'
import { findDuplicates, scanDuplicates } from './scan.ts'

let api: TestApp
before(async () => {
  api = await testApp()
})
after(() => api.close())

// biome-ignore lint/suspicious/noExplicitAny: tests assert what they expect
type Record = any
const ok = ({ status, body }: Answer): Record => {
  assert.ok(status < 300, `${status} ${JSON.stringify(body)}`)
  return body?.data
}
const get = async (url: string) => ok(await api.call('GET', url))
const create = async (fields: object) => ok(await api.call('POST', '/api/companies', fields))
const find = () => findDuplicates(api.context.backgroundDb, new AbortController().signal)
const pairsOf = (id: string, filter = '') => get(`/api/duplicates?company_id=${id}${filter}`)
/** The other company of each pair of this one. */
const duplicatesOf = async (id: string, filter = '') => {
  await find()
  const pairs: Record[] = await pairsOf(id, filter)
  return pairs.map(({ companies }) => companies.find((company: Record) => company.id !== id).id)
}
const shown = ({ possible_duplicates }: Record) =>
  possible_duplicates.map(({ company, reasons }: Record) => [company.id, ...reasons])

test('creating a company names the companies that may be the same', async () => {
  const first = await create({
    name: 'Sibelvik Robotics AS',
    country_code: 'NO',
    website: 'https://sibelvik.no',
  })
  assert.deepEqual(first.possible_duplicates, [])
  const form = await create({ name: 'SIBELVIK ROBOTICS', country_code: 'NO' })
  assert.deepEqual(shown(form), [[first.id, 'same_name']])
  const [{ company, score }] = form.possible_duplicates
  assert.equal(score, 0.9)
  assert.deepEqual(
    [company.name, company.website, company.country_code],
    ['Sibelvik Robotics AS', 'https://sibelvik.no', 'NO'],
  )
  const typo = await create({
    name: 'Sibelvik Robtics',
    country: 'Norway',
    website: 'https://shop.sibelvik.no/en',
  })
  assert.deepEqual(shown(typo), [
    [first.id, 'same_domain', 'similar_name'],
    [form.id, 'similar_name'],
  ])
  assert.deepEqual((await create({ name: 'Sibelvik Robotics', country_code: 'SE' })).possible_duplicates, [])
  assert.equal((await create({ name: 'Sibelvik Robotics' })).possible_duplicates.length, 4)
  const same = await create({
    name: 'Sibelvik Robotics',
    country_code: 'NO',
    website: 'http://www.sibelvik.no',
  })
  assert.deepEqual([same.possible_duplicates[0].company.id, same.possible_duplicates[0].score], [first.id, 1])
  const written = await api.call('PATCH', `/api/companies/${same.id}`, { ...same, hq_city: 'Bergen' })
  assert.deepEqual([written.status, written.body.data.hq_city], [200, 'Bergen'])
})

test('a form asks for possible duplicates before it creates a company', async () => {
  const { id } = await create({
    name: 'Korvanta Foods GmbH',
    country_code: 'DE',
    website: 'https://korvanta.de',
  })
  const check = async (query: string) => shown(await get(`/api/duplicates/check?${query}`))
  assert.deepEqual(await check('name=korvanta+foods&country_code=de'), [[id, 'same_name']])
  assert.deepEqual(await check('website=www.korvanta.de/impressum'), [[id, 'same_domain']])
  assert.deepEqual(await check(`name=Korvanta+Foods&exclude=${id}`), [])
  for (const query of ['', 'name=', 'name=Korvanta+Foods&country_code=FR', 'website=kor', 'website=https://'])
    assert.deepEqual(await check(query), [], query)
  assert.equal((await api.call('GET', '/api/duplicates/check?country_code=XX')).status, 400)
  assert.equal((await api.call('GET', '/api/duplicates/check?title=x')).status, 400)
})

test('pairs are found after creations, imports and changes, and listed by score', async () => {
  const one = await create({ name: 'Tervolin Optics', country_code: 'FI', website: 'https://tervolin.fi' })
  const csv =
    'name,country_code,website\nTervolin Optics,FI,https://www.tervolin.fi/\nTervolin Optiks,FI,\nOther,FI,\n'
  const headers = { 'x-user-email': ada, 'content-type': 'text/csv' }
  ok(await api.call('POST', '/api/companies/import', undefined, { headers, payload: csv }))
  await find()
  const pairs = await pairsOf(one.id)
  assert.deepEqual(
    pairs.map(({ reasons, status }: Record) => [...reasons, status]),
    [['similar_name', 'open']],
  )
  const [{ companies, id }] = pairs
  assert.deepEqual(
    [companies[0].id, companies[0].financials, companies[1].name],
    [one.id, null, 'Tervolin Optiks'],
  )
  assert.equal(id, pairId(companies[0].id, companies[1].id))

  const other = await create({ name: 'Quillmark Media', country_code: 'FI' })
  assert.deepEqual(await duplicatesOf(other.id), [])
  await api.call('PATCH', `/api/companies/${other.id}`, { website: 'https://tervolin.fi/quillmark' })
  assert.deepEqual(await duplicatesOf(other.id), [one.id])
  await api.call('PATCH', `/api/companies/${other.id}`, { name: 'Tervolin Optics', country: 'Finland' })
  assert.equal((await pairsOf(other.id))[0].score < 1, true)
  await find()
  const byScore = await pairsOf(one.id, '&min_score=1')
  assert.deepEqual(
    byScore.map(({ companies }: Record) => companies[1].id),
    [other.id],
  )
  const pages = await Promise.all(
    [0, 1].map((offset) => api.call('GET', `/api/duplicates?company_id=${one.id}&limit=1&offset=${offset}`)),
  )
  const scores = pages.flatMap(({ body }) => body.data.map(({ score }: Record) => score))
  assert.ok(scores[0] === 1 && scores[1] < 1, `${scores}`)
  assert.deepEqual(
    pages.map(({ body: { pagination } }) => [pagination.total, pagination.hasMore]),
    [
      [2, true],
      [2, false],
    ],
  )
  await api.call('PATCH', `/api/companies/${other.id}`, { name: 'Quillmark Media', website: null })
  assert.deepEqual(await duplicatesOf(other.id), [])

  assert.deepEqual(await pairsOf('cmp_none'), [])
  for (const query of ['min_score=2', 'min_score=high', 'status=closed', 'company=x'])
    assert.equal((await api.call('GET', `/api/duplicates?${query}`)).status, 400, query)
})

test('a dismissed pair stays dismissed until it is reopened', async () => {
  const one = await create({ name: 'Ostravelle Textiles', country_code: 'CZ' })
  const other = await create({ name: 'Ostravelle Textiles s.r.o.', country_code: 'CZ' })
  assert.deepEqual(await duplicatesOf(one.id), [other.id])
  const [{ id }] = await pairsOf(one.id)
  const dismissed = ok(await api.call('POST', `/api/duplicates/${id}/dismiss`))
  assert.deepEqual([dismissed.status, dismissed.dismissed_by], ['dismissed', ada])
  const bob = { headers: { 'x-user-email': 'bob@example.com' } }
  assert.deepEqual(ok(await api.call('POST', `/api/duplicates/${id}/dismiss`, undefined, bob)), dismissed)
  await api.call('PATCH', `/api/companies/${one.id}`, { website: 'https://ostravelle.cz' })
  assert.deepEqual(await duplicatesOf(one.id), [])
  await scanDuplicates(api.context.longDb)
  assert.deepEqual(await duplicatesOf(one.id), [])
  assert.deepEqual(await duplicatesOf(one.id, '&status=dismissed'), [other.id])
  const reopened = ok(await api.call('POST', `/api/duplicates/${id}/reopen`))
  assert.deepEqual([reopened.status, reopened.dismissed_at, reopened.dismissed_by], ['open', null, null])
  assert.deepEqual(await duplicatesOf(one.id), [other.id])
  const missing = await api.call('POST', `/api/duplicates/${pairId('cmp_a', 'cmp_b')}/dismiss`)
  assert.deepEqual([missing.status, missing.body.error], [404, 'Not found'])
})

test('deleting a company hides its pairs, restoring it shows them, purging it forgets them', async () => {
  const one = await create({ name: 'Halvenstein Dairies', country_code: 'CH' })
  const other = await create({ name: 'Halvenstein Dairies AG', country_code: 'CH' })
  assert.deepEqual(await duplicatesOf(one.id), [other.id])
  const [{ id }] = await pairsOf(one.id, '&min_score=0.9')
  await api.call('DELETE', `/api/companies/${other.id}`)
  assert.deepEqual(await pairsOf(one.id), [])
  assert.equal((await api.call('POST', `/api/duplicates/${id}/dismiss`)).status, 404)
  assert.deepEqual(
    shown(await get('/api/duplicates/check?name=Halvenstein+Dairies&country_code=CH')).length,
    1,
  )
  await find()
  await api.call('POST', `/api/trash/${other.id}/restore`)
  assert.deepEqual(await duplicatesOf(one.id), [other.id])
  assert.equal((await pairsOf(one.id))[0].id, id)
  ok(await api.call('POST', `/api/duplicates/${id}/dismiss`))
  await api.call('DELETE', `/api/companies/${other.id}`)
  ok(await api.call('DELETE', `/api/trash/${other.id}`))
  await find()
  const { rows } = await sql`
    select from duplicates where id = ${id} union all
    select from company_identities where company_id = ${other.id}`.execute(api.context.db)
  assert.equal(rows.length, 0)
})

test('a shared host or a domain of many companies is no evidence', async () => {
  const page = 'https://www.linkedin.com/company/'
  const one = await create({ name: 'Brixdrolto Games', website: `${page}brixdrolto` })
  assert.deepEqual((await create({ name: 'Vafurk Wind', website: `${page}vafurk` })).possible_duplicates, [])
  assert.deepEqual(
    (await create({ name: 'Lelliond', website: 'https://lelliond.github.io' })).possible_duplicates,
    [],
  )
  assert.deepEqual(
    (await create({ name: 'Pruspel', website: 'https://pruspel.github.io' })).possible_duplicates,
    [],
  )
  const same = await create({ name: 'Games', website: 'https://de.linkedin.com/company/Brixdrolto/' })
  assert.deepEqual(shown(same), [[one.id, 'same_domain']])
  const ids: string[] = []
  for (const letter of 'abcdefghijkl')
    ids.push((await create({ name: letter.repeat(8), website: 'https://holding-of-many.com' })).id)
  assert.deepEqual(await duplicatesOf(ids.at(-1) as string), [])
  await scanDuplicates(api.context.longDb)
  assert.deepEqual(await duplicatesOf(ids[0] as string), [])
})

test('new rules make the service compare all companies again, and a scan continues where it stopped', async () => {
  const one = await create({ name: 'Fiskarholm Marine AB', country_code: 'SE' })
  const other = await create({ name: 'Fiskarholm Marine', country_code: 'SE' })
  const { db } = api.context
  await find()
  await sql`delete from duplicates`.execute(db)
  await find()
  assert.deepEqual(await pairsOf(one.id), [])
  await sql`update duplicate_scan set rules = 'former'`.execute(db)
  assert.deepEqual(await duplicatesOf(one.id), [other.id])
  await sql`delete from duplicates`.execute(db)
  await sql`update duplicate_scan set finished_at = null, last_id = ${one.id}`.execute(db)
  assert.deepEqual(await duplicatesOf(one.id), [other.id])
})
