import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { wordVector } from '#dev/embedding-endpoint.ts'
import {
  api,
  COMPANIES,
  create,
  embedded,
  endpoint,
  names,
  search,
  startBeforeTests,
} from './vectors.fixture.ts'

startBeforeTests()

test('finds companies that share no word with the question', async () => {
  const found = await search({ q: 'car' })
  assert.deepEqual(names(found), ['Volta'])
  const every = await search({ q: 'car', mode: 'vector' })
  assert.equal(names(every)[0], 'Volta')
  assert.equal(every.pagination.total, COMPANIES.length)
  for (const { similarity, embedding_stale, shares } of every.data) {
    assert.ok(similarity >= 0 && similarity <= 1)
    assert.equal(embedding_stale, false)
    assert.deepEqual(shares, { words: 0, meaning: 1 })
  }
  assert.deepEqual(names(await search({ q: 'car', mode: 'words' })), [])
  assert.equal(names(await search({ q: 'medical' }))[0], 'Vaktplan')
  assert.deepEqual(names(await search({ q: 'robot', country_code: 'de', limit: 1 })), ['Greifer'])
  assert.deepEqual(names(await search({ q: 'robot', country_code: 'US' })), [])
  const inGermany = { q: 'robot', status: 'active', country_code: 'DE', mode: 'vector' }
  assert.equal((await search(inGermany)).pagination.total, 2)
})

test('words and vectors rank together, and each result shows both shares', async () => {
  const q = 'automaton parcels clinic'
  const { data, pagination } = await search({ q })
  assert.equal(data[0]?.name, 'Greifer')
  assert.deepEqual(data[0]?.matched_words, ['automaton', 'parcels'])
  assert.equal(pagination.total, data.length)
  assert.ok(!names({ data }).includes('Hafer'))
  for (const { shares, similarity } of data) {
    assert.ok(similarity > 0 && similarity <= 1)
    assert.ok(Math.abs(shares.words + shares.meaning - 1) < 0.002)
  }
  const paged: string[] = []
  for (let offset = 0; offset < data.length; offset++)
    paged.push(...names(await search({ q, limit: 1, offset })))
  assert.deepEqual(paged, names({ data }))
})

test('filters by industry, thesis and score, in all modes and for similar companies', async () => {
  const thesis_id = (await api.call('POST', '/api/theses', { code: 'PARCELS', title: 'Parcels' })).body.data
    .id
  const { data } = await search({ q: 'car', mode: 'vector' })
  const idOf = (name: string) => data.find((company) => company.name === name)?.id
  const patch = (name: string, fields: object) => api.call('PATCH', `/api/companies/${idOf(name)}`, fields)
  await patch('Greifer', { thesis_id, llm_score_overall: 80, industry_category: 'Machines' })
  await patch('Parcelo', { thesis_id, llm_score_overall: 40 })
  await patch('Volta', { llm_score_overall: 41 })
  await embedded(api)
  const expected: [Record<string, string | number>, string[]][] = [
    [{ thesis_id }, ['Greifer', 'Parcelo']],
    [{ min_score: 41 }, ['Greifer', 'Volta']],
    [{ industry_category: 'Machines' }, ['Greifer']],
    [{ thesis_id, min_score: 40, country_code: 'FR' }, ['Parcelo']],
    [{ thesis_id: 'th_none' }, []],
  ]
  for (const [filters, found] of expected) {
    const all = await search({ q: 'sorting parcels', mode: 'vector', ...filters })
    assert.deepEqual(names(all).sort(), found, JSON.stringify(filters))
    assert.equal(all.pagination.total, found.length)
    const text = new URLSearchParams(filters as Record<string, string>)
    const { body } = await api.call('GET', `/api/companies/${idOf('Volta')}/similar?${text}`)
    for (const answer of [body, await search({ q: 'sorting parcels', ...filters })])
      assert.ok(
        names(answer).every((name) => found.includes(name)),
        `${text}`,
      )
  }
  await patch('Greifer', { industry_category: null })
  await embedded(api)
})

test('another page does not call the endpoint again', async () => {
  await search({ q: 'a question of its own', limit: 1 })
  await search({ q: 'a question of its own', limit: 1, offset: 1 })
  assert.deepEqual(
    endpoint.requests.map(({ input }) => input),
    [['a question of its own']],
  )
})

test('similar companies are found by words and the stored vector, without the endpoint', async () => {
  endpoint.failWith = () => ({ status: 500, headers: { 'retry-after-ms': '1' } })
  const { body } = await api.call('GET', '/api/companies/search/semantic?q=parcels&limit=1&mode=vector')
  assert.equal(body.error, 'Dependency unavailable')
  const id = (await api.call('GET', '/api/companies?search=Greifer')).body.data[0].id
  const similar = await api.call('GET', `/api/companies/${id}/similar`)
  assert.equal(names(similar.body)[0], 'Parcelo')
  assert.ok(!names(similar.body).includes('Greifer'))
  assert.ok(similar.body.data[0].shares.meaning > 0)
  assert.equal(similar.body.data[0].matched_words, undefined)
})

test('a changed text is embedded, an unchanged one is not', async () => {
  const id = await create({ name: 'Wandel', activity_description: 'Boats' })
  await embedded(api)
  endpoint.requests.length = 0
  await api.call('PATCH', `/api/companies/${id}`, { revenue_eur: 7 })
  // In one transaction, so that the background work cannot find the text in between.
  await api.context.db.transaction().execute(async (transaction) => {
    for (const text of ['Ships', 'Boats'])
      await sql`update companies set activity_description = ${text} where id = ${id}`.execute(transaction)
  })
  await embedded(api)
  assert.deepEqual(endpoint.requests, [])
  await api.call('PATCH', `/api/companies/${id}`, { activity_description: 'Vehicle' })
  await embedded(api)
  assert.deepEqual(
    endpoint.requests.map(({ input }) => input),
    [['Wandel\nVehicle']],
  )
  assert.equal(names(await search({ q: 'Wandel car' }))[0], 'Wandel')
})

test('a company with an unusable vector is marked with the reason, and the rest continue', async () => {
  endpoint.embed = (text, dimensions) => {
    if (text.startsWith('Zero')) return new Array(dimensions).fill(0)
    if (text.startsWith('Nan')) return new Array(dimensions).fill(null)
    if (text.startsWith('Short')) return [1, 2, 3]
    return wordVector(text, dimensions)
  }
  endpoint.failWith = ({ input }) =>
    input.some((text) => text.startsWith('Refused')) ? { status: 400, message: 'not this one' } : undefined
  const ids: Record<string, string> = {}
  for (const name of ['Zero', 'Fine', 'Nan', 'Refused', 'Short', 'Good']) ids[name] = await create({ name })
  const { failures, models } = await embedded(api, (status) => status.failures.length === 4)
  const reasons = Object.fromEntries(failures.map(({ name, reason }) => [name, reason]))
  assert.match(reasons.Zero ?? '', /a vector of zeros/)
  assert.match(reasons.Nan ?? '', /not a number/)
  assert.match(reasons.Refused ?? '', /rejected the text \(400: not this one\)/)
  assert.match(reasons.Short ?? '', /3 dimensions instead of 64/)
  assert.equal(models[0]?.failed, 4)
  for (const name of ['Fine', 'Good']) assert.equal(names(await search({ q: name }))[0], name)
  assert.ok(!names(await search({ q: 'zero', mode: 'vector' })).includes('Zero'))
  const byWords = (await search({ q: 'zero' })).data.find(({ name }) => name === 'Zero')
  assert.equal(byWords?.embedding_stale, true)
  endpoint.failWith = () => undefined
  endpoint.embed = wordVector
  for (const name of ['Zero', 'Nan', 'Refused', 'Short'])
    await api.call('PATCH', `/api/companies/${ids[name]}`, { activity_description: 'Cars' })
  await embedded(api, (status) => status.failures.length === 0)
})

test('a text that is too long for the model is truncated', async () => {
  endpoint.failWith = ({ input }) => (input.some((text) => text.length > 600) ? { status: 413 } : undefined)
  const id = await create({ name: 'Lang', activity_description: `Cars ${'and so on '.repeat(1500)}` })
  await create({ name: 'Kurz' })
  const { failures } = await embedded(api)
  assert.deepEqual(failures, [])
  assert.ok(names(await search({ q: 'Lang car', mode: 'vector' })).includes('Lang'))
  await api.call('PATCH', `/api/companies/${id}`, { activity_description: 'Trains' })
  await embedded(api)
})
