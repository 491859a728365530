import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { pino } from 'pino'
import { type EmbeddingEndpoint, startEmbeddingEndpoint, wordVector } from '#dev/embedding-endpoint.ts'
import { createRandom } from '#src/cli/demo/random.ts'
import {
  defaultBatchSize,
  type EmbeddingWork,
  embedConfigured,
} from '#src/features/search/vectors/embed-pending.ts'
import { claimPending } from '#src/features/search/vectors/vector-backlog.ts'
import { createVectorIndex } from '#src/features/search/vectors/vector-index.ts'
import { nearestVectors, storeVectors } from '#src/features/search/vectors/vectors.ts'
import {
  enqueueAllCompanies,
  enqueueAllVectors,
  indexNextBatch,
} from '#src/features/search/words/index-changed.ts'
import type { Db } from '#src/platform/database/database.ts'
import { signWorkerToken } from '#src/platform/identity/worker-token.ts'
import { createEmbedder, type Embedder } from '#src/platform/models/embedder.ts'
import { textHash } from '#src/platform/text-hash.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { freshDatabase, testServer } from '#src/testing/database.ts'
import { eventually } from '#src/testing/eventually.ts'
import { TEXT_VERSION } from './embedding-text.ts'
import type { SearchStatus } from './schema.ts'
import { EmbeddingModels } from './vectors/embedding-models.ts'
import type { AnsweringModel, StoredModel } from './vectors/stored-model.ts'
import { LexicalIndex } from './words/lexical-index.ts'

const COMPANIES = [
  ['Volta', 'DE', 'Rents automobiles by the hour'],
  ['Hafer', 'SE', 'Oat drinks in place of dairy'],
  ['Vaktplan', 'NO', 'Shift planning for clinics and their nurses'],
  ['Greifer', 'DE', 'Automatons that sort parcels'],
  ['Parcelo', 'FR', 'Lockers that keep parcels'],
] as const

let endpoint: EmbeddingEndpoint
let api: TestApp
let settings: Record<string, string>
before(async () => {
  endpoint = await startEmbeddingEndpoint()
  settings = { EMBEDDINGS: 'openai-compatible', EMBEDDINGS_BASE_URL: endpoint.url, EMBEDDINGS_MODEL: 'small' }
  api = await testApp(settings)
  for (const [name, country_code, activity_description] of COMPANIES)
    await create({ name, country_code, activity_description })
  await embedded(api)
})
beforeEach(() => {
  endpoint.failWith = () => undefined
  endpoint.embed = wordVector
  endpoint.requests.length = 0
})
after(async () => {
  await api.close()
  await endpoint.close()
})

async function create(company: Record<string, unknown>, of = api): Promise<string> {
  const { status, body } = await of.call('POST', '/api/companies', company)
  assert.equal(status, 201)
  return body.data.id
}

async function statusOf(of = api): Promise<SearchStatus> {
  const { status, body } = await of.call('GET', '/api/companies/search/status')
  assert.equal(status, 200, JSON.stringify(body))
  return body.data
}

/** Waits until the configured model answers and nothing is left to embed. */
async function embedded(
  of: TestApp,
  until: (status: SearchStatus) => boolean = () => true,
): Promise<SearchStatus> {
  const read = async () => {
    const status = await statusOf(of)
    const [configured] = status.models
    const isDone = status.waiting === 0 && configured?.waiting === 0 && configured.model === status.answering
    assert.ok(isDone && until(status), JSON.stringify(status))
    return status
  }
  return eventually(read, { timeoutMs: 40_000 })
}

interface Result {
  id: string
  name: string
  similarity: number
  embedding_stale: boolean
  matched_words?: string[]
}

async function search(query: Record<string, string | number>, of = api) {
  const text = new URLSearchParams(query as Record<string, string>)
  const { status, body } = await of.call('GET', `/api/companies/search/semantic?${text}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body as { data: Result[]; pagination: { total: number; hasMore: boolean } }
}

async function refused(q: string, of = api): Promise<string> {
  const { status, body } = await of.call('GET', `/api/companies/search/semantic?q=${q}`)
  assert.equal(status, 503, JSON.stringify(body))
  assert.equal(body.error, 'Dependency unavailable')
  return body.details
}

const names = ({ data }: { data: Result[] }) => data.map(({ name }) => name)

test('companies are found that share no word with the question', async () => {
  const found = await search({ q: 'car' })
  assert.equal(names(found)[0], 'Volta')
  assert.equal(found.pagination.total, COMPANIES.length)
  for (const { similarity, embedding_stale } of found.data) {
    assert.ok(similarity >= 0 && similarity <= 1)
    assert.equal(embedding_stale, false)
  }
  assert.equal(names(await search({ q: 'medical' }))[0], 'Vaktplan')
  assert.deepEqual(names(await search({ q: 'robot', country_code: 'de', limit: 1 })), ['Greifer'])
  assert.deepEqual(names(await search({ q: 'robot', country_code: 'US' })), [])
  assert.equal((await search({ q: 'robot', status: 'active', country_code: 'DE' })).pagination.total, 2)
})

test('hybrid fuses meaning with words, and names the words', async () => {
  const { data, pagination } = await search({ q: 'automaton parcels', mode: 'hybrid' })
  assert.equal(data[0]?.name, 'Greifer')
  assert.deepEqual(data[0]?.matched_words, ['automaton', 'parcels'])
  assert.deepEqual(data.find(({ name }) => name === 'Hafer')?.matched_words, [])
  assert.equal(pagination.total, COMPANIES.length)
  const paged: string[] = []
  for (let offset = 0; offset < COMPANIES.length; offset++)
    paged.push(...names(await search({ q: 'automaton parcels', mode: 'hybrid', limit: 1, offset })))
  assert.deepEqual(paged, names({ data }))
})

test('filters by industry, thesis and score, in both modes and for companies like one', async () => {
  const thesis_id = (await api.call('POST', '/api/theses', { code: 'PARCELS', title: 'Parcels' })).body.data
    .id
  const { data } = await search({ q: 'car' })
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
    for (const mode of ['vector', 'hybrid']) {
      const answer = await search({ q: 'sorting parcels', mode, ...filters })
      assert.deepEqual(names(answer).sort(), found, JSON.stringify(filters))
      assert.equal(answer.pagination.total, found.length)
    }
    const text = new URLSearchParams(filters as Record<string, string>)
    const { body } = await api.call('GET', `/api/companies/${idOf('Volta')}/similar?${text}`)
    const others = found.filter((name) => name !== 'Volta')
    assert.deepEqual(names(body).sort(), others, `like one: ${text}`)
  }
  await patch('Greifer', { industry_category: null })
  await embedded(api)
})

test('a page more asks the endpoint nothing more', async () => {
  await search({ q: 'a question of its own', limit: 1 })
  await search({ q: 'a question of its own', limit: 1, offset: 1 })
  assert.deepEqual(
    endpoint.requests.map(({ input }) => input),
    [['a question of its own']],
  )
})

test('companies like one are found by its vector, without the endpoint', async () => {
  endpoint.failWith = () => ({ status: 500, headers: { 'retry-after-ms': '1' } })
  const { body } = await api.call('GET', '/api/companies/search/semantic?q=parcels&limit=1&mode=vector')
  assert.equal(body.error, 'Dependency unavailable')
  const id = (await api.call('GET', '/api/companies?search=Greifer')).body.data[0].id
  const similar = await api.call('GET', `/api/companies/${id}/similar`)
  assert.equal(names(similar.body)[0], 'Parcelo')
  assert.ok(!names(similar.body).includes('Greifer'))
  assert.equal(similar.body.pagination.total, COMPANIES.length - 1)
})

test('a changed text is embedded, one that is as it was is not', async () => {
  const id = await create({ name: 'Wandel', activity_description: 'Boats' })
  await embedded(api)
  endpoint.requests.length = 0
  await api.call('PATCH', `/api/companies/${id}`, { revenue_eur: 7 })
  await api.call('PATCH', `/api/companies/${id}`, { activity_description: 'Ships' })
  await api.call('PATCH', `/api/companies/${id}`, { activity_description: 'Boats' })
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

test('a company whose vector is no use is marked with the reason, and the rest go on', async () => {
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
  assert.ok(!names(await search({ q: 'zero' })).includes('Zero'))
  const hybrid = (await search({ q: 'zero', mode: 'hybrid' })).data.find(({ name }) => name === 'Zero')
  assert.equal(hybrid?.embedding_stale, true)
  endpoint.failWith = () => undefined
  endpoint.embed = wordVector
  for (const name of ['Zero', 'Nan', 'Refused', 'Short'])
    await api.call('PATCH', `/api/companies/${ids[name]}`, { activity_description: 'Cars' })
  await embedded(api, (status) => status.failures.length === 0)
})

test('a text that is too long for the model is embedded by its beginning', async () => {
  endpoint.failWith = ({ input }) => (input.some((text) => text.length > 600) ? { status: 413 } : undefined)
  const id = await create({ name: 'Lang', activity_description: `Cars ${'and so on '.repeat(1500)}` })
  await create({ name: 'Kurz' })
  const { failures } = await embedded(api)
  assert.deepEqual(failures, [])
  assert.ok(names(await search({ q: 'Lang car' })).includes('Lang'))
  await api.call('PATCH', `/api/companies/${id}`, { activity_description: 'Trains' })
  await embedded(api)
})

test('an endpoint that fails is a 503 that says what to do, and what waited is embedded when it is back', async () => {
  const faults = [
    [{ status: 401, message: 'bad key sk-123' }, /rejects the API key \(401\); check EMBEDDINGS_API_KEY/],
    [{ status: 404 }, /no such model or address.*EMBEDDINGS_MODEL/],
    [{ status: 400 }, /rejected the text.*every text/],
    [{ status: 429, headers: { 'retry-after-ms': '1' } }, /rate limited \(429\)/],
    [{ status: 500, headers: { 'retry-after-ms': '1' } }, /failed \(500\)/],
    [{ body: '{"nonsense":true}' }, /cannot be read/],
    [{ body: 'nonsense' }, /cannot be read/],
  ] as const
  for (const [n, [fault, message]] of faults.entries()) {
    endpoint.failWith = () => fault
    const details = await refused(`fault${n}`)
    assert.match(details, message)
    assert.doesNotMatch(details, /sk-123/)
  }
  const id = await create({ name: 'Patience', activity_description: 'Waits' })
  assert.equal((await api.call('GET', `/api/companies/${id}`)).status, 200)
  await eventually(async () => {
    const [{ waiting, fault } = { waiting: 0, fault: null }] = (await statusOf()).models
    assert.ok(waiting > 0 && fault)
  })
  endpoint.failWith = () => undefined
  await embedded(api)
  assert.equal(names(await search({ q: 'Patience' }))[0], 'Patience')
})

test('a vector of another length is a 503 that names the setting', async () => {
  endpoint.embed = () => [1, 2, 3]
  assert.match(await refused('lengths'), /3 dimensions where 64 are expected; set EMBEDDINGS_DIMENSIONS/)
})

test('requests that fail for a moment are tried again, and answers that come too late are not waited for', async () => {
  const embedder = createEmbedder({ baseUrl: endpoint.url, apiKey: 'the-key' })
  const embed = (milliseconds: number) =>
    embedder.embed({ name: 'small', dimensions: 5 }, ['car', 'milk'], {
      length: undefined,
      milliseconds,
      retries: 2,
    })
  let left = 2
  endpoint.failWith = (_request, authorization) => {
    assert.equal(authorization, 'Bearer the-key')
    left -= 1
    return left >= 0 ? { status: 429, headers: { 'retry-after-ms': '5' } } : undefined
  }
  const found = await embed(5000)
  assert.equal(endpoint.requests.length, 3)
  assert.equal(endpoint.requests[0]?.dimensions, 5)
  for (const embedding of found) {
    assert.ok('vector' in embedding)
    assert.equal(embedding.vector.length, 5)
    assert.ok(Math.abs(Math.hypot(...embedding.vector) - 1) < 1e-9)
  }
  endpoint.failWith = () => ({ delay: 2000 })
  await assert.rejects(embed(100), /did not answer in time/)
  endpoint.failWith = () => ({ cut: true })
  await assert.rejects(embed(500), /cannot be reached|did not answer in time/)
})

test('vectors come with the text that they are of, whatever the order of the answer', async () => {
  const body = JSON.stringify({
    data: [
      { index: 1, embedding: [0, 1] },
      { index: 0, embedding: [1, 0] },
    ],
  })
  endpoint.failWith = () => ({ body })
  const embedder = createEmbedder({ baseUrl: endpoint.url, apiKey: undefined })
  const found = await embedder.embed({ name: 'small', dimensions: 2 }, ['a', 'b'], {
    length: 2,
    milliseconds: 1000,
    retries: 0,
  })
  assert.deepEqual(found, [{ vector: [1, 0] }, { vector: [0, 1] }])
})

/** Runs a service, or one after the other, on a database that stays. */
async function onDatabase(
  work: (open: (settings?: Record<string, string>) => Promise<TestApp>) => Promise<void>,
) {
  const { close, ...database } = await freshDatabase()
  const opened: TestApp[] = []
  try {
    await work(async (more = {}) => {
      await opened.pop()?.close()
      const service = await testApp(
        { ...settings, ...more },
        { database: { ...database, close: async () => {} } },
      )
      opened.push(service)
      return service
    })
  } finally {
    await opened.pop()?.close()
    await close()
  }
}

test('another model embeds everything anew, while the old one answers', () =>
  onDatabase(async (open) => {
    const first = await open()
    for (const [name, , activity_description] of COMPANIES)
      await create({ name, activity_description }, first)
    await embedded(first)

    let isHeld = true
    endpoint.failWith = ({ model, input }) =>
      isHeld && model === 'large' && input[0] !== 'software'
        ? { status: 503, headers: { 'retry-after-ms': '1' } }
        : undefined
    const large = { EMBEDDINGS_MODEL: 'large', EMBEDDINGS_DIMENSIONS: '80' }
    const second = await open(large)
    assert.equal(names(await search({ q: 'automobile' }, second))[0], 'Volta')
    const id = await create({ name: 'Between', activity_description: 'Came meanwhile' }, second)
    await eventually(async () => {
      const found = names(await search({ q: 'Between' }, second))
      assert.ok(found.includes('Between'), JSON.stringify(await statusOf(second)))
    })
    const status = await statusOf(second)
    assert.equal(status.answering, 'small, text 1')
    assert.deepEqual(
      status.models.map(({ model, state, embedded }) => [model, state, embedded]),
      [
        ['large, 80 dimensions, text 1', 'filling', 0],
        ['small, text 1', 'complete', COMPANIES.length + 1],
      ],
    )

    isHeld = false
    const done = await embedded(second, ({ models }) => models.length === 1)
    assert.deepEqual([done.models[0]?.dimensions, done.models[0]?.embedded], [80, COMPANIES.length + 1])
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from embeddings union all
      select count(*)::int from pg_indexes where indexname like 'embeddings_of_%'`.execute(second.context.db)
    assert.deepEqual(rows, [{ n: COMPANIES.length + 1 }, { n: 1 }])

    endpoint.requests.length = 0
    const third = await open(large)
    assert.equal(names(await search({ q: 'clinic' }, third))[0], 'Vaktplan')
    await third.call('PATCH', `/api/companies/${id}`, { activity_description: 'Cars' })
    await embedded(third)
    assert.deepEqual(
      endpoint.requests.map(({ input }) => input),
      [['clinic'], ['Between\nCars']],
    )

    const back = await open()
    await embedded(back, ({ models }) => models.length === 1)
    assert.equal(names(await search({ q: 'Between car' }, back))[0], 'Between')
  }))

test('words answer until every company has its vector, in a database that was empty too', () =>
  onDatabase(async (open) => {
    const service = await open()
    let calls = 0
    endpoint.failWith = ({ input }) => {
      if (input.length > 1) calls += 1
      return calls > 1 ? { status: 429, headers: { 'retry-after-ms': '1' } } : undefined
    }
    await sleep(1500)
    assert.equal((await statusOf(service)).answering, 'builtin')
    const rows = Array.from({ length: 300 }, (_value, n) => `Firm ${n},Makes gadget${n}`)
    await service.call('POST', '/api/companies/import', undefined, {
      payload: `name,description\n${rows.join('\n')}\n`,
      headers: { 'content-type': 'text/csv' },
    })
    const status = await eventually(async () => {
      const found = await statusOf(service)
      assert.match(found.models[0]?.fault ?? '', /rate limited/)
      return found
    })
    assert.equal(status.answering, 'builtin')
    await eventually(async () =>
      assert.equal(names(await search({ q: 'gadget123' }, service))[0], 'Firm 123'),
    )
    endpoint.failWith = () => undefined
    const done = await embedded(service)
    assert.deepEqual([done.models[0]?.embedded, done.models[0]?.fault], [300, null])
  }))

test('the indexes of a new database are made ready at the same moment, by several processes', async () => {
  for (let tries = 0; tries < 3; tries++) {
    const { db, close } = await freshDatabase()
    try {
      const indexes = Array.from({ length: 3 }, () => [
        new LexicalIndex(db, TEXT_VERSION, enqueueAllCompanies),
        workOn(db).models,
      ])
      await Promise.all(indexes.flat().map((index) => index.prepare()))
    } finally {
      await close()
    }
  }
})

test('one text that the endpoint cannot take does not hold up the others', () =>
  onDatabase(async (open) => {
    const service = await open()
    endpoint.failWith = ({ input }) => {
      if (input.some((text) => text.startsWith('Poison')))
        return { status: 500, headers: { 'retry-after-ms': '1' } }
      if (input.some((text) => text.startsWith('Bare')))
        return { body: '{"data":[{"index":0,"embedding":[NaN]}]}' }
      return undefined
    }
    for (let n = 0; n < 30; n++) await create({ name: `Fine ${n}` }, service)
    await create({ name: 'Poison' }, service)
    await create({ name: 'Bare' }, service)
    const { models, failures } = await embedded(service)
    assert.deepEqual([models[0]?.embedded, models[0]?.failed], [30, 2])
    const reasons = Object.fromEntries(failures.map(({ name, reason }) => [name, reason]))
    assert.match(reasons.Poison ?? '', /failed at the text \(500/)
    assert.match(reasons.Bare ?? '', /cannot be read/)
  }))

test('a company that failed is no longer marked once a worker has embedded it', () =>
  onDatabase(async (open) => {
    const service = await open()
    endpoint.embed = (text, dimensions) =>
      text.startsWith('Zero') ? new Array(dimensions).fill(0) : wordVector(text, dimensions)
    const id = await create({ name: 'Zero' }, service)
    await create({ name: 'Fine' }, service)
    await embedded(service, ({ failures }) => failures.length === 1)
    const action = await service.call('POST', '/api/bulk-actions', {
      action_type: 'generate_embeddings',
      company_ids: [id],
    })
    const { sessions } = service.context
    const headers = { authorization: `Bearer ${await signWorkerToken(sessions, 60)}` }
    const path = `/api/bulk-actions/${action.body.data.id}`
    const work = await service.call('GET', `${path}/work?company_ids=${id}`, undefined, { headers })
    const [{ text_hash, is_current }] = work.body.data.embedding.companies
    assert.equal(is_current, false)
    const hand = (length: number) => {
      const embedding = {
        model: work.body.data.embedding.model.key,
        text_hash,
        vector: wordVector('Zero', length),
      }
      const results = [{ company_id: id, embedding }]
      return service.call('POST', `${path}/results`, { results }, { headers })
    }
    assert.match((await hand(3)).body.details, /vector must have 64 numbers/)
    assert.equal((await hand(64)).body.data.status, 'completed')
    await embedded(service, ({ failures }) => failures.length === 0)
    assert.equal(names(await search({ q: 'zero' }, service))[0], 'Zero')
  }))

test('an endpoint that is of no use to any text marks none as failed', () =>
  onDatabase(async (open) => {
    const service = await open()
    for (let n = 0; n < 5; n++) await create({ name: `Fine ${n}` }, service)
    for (const [fault, message] of [
      [() => new Array(64).fill(0), /zeros\. It does so for every text/],
      [
        () => new Array(5000).fill(1),
        /5000 dimensions, and pgvector can index at most 4000\. Set EMBEDDINGS_DIMENSIONS/,
      ],
    ] as const) {
      endpoint.embed = fault
      const status = await eventually(async () => {
        const found = await statusOf(service)
        assert.match(found.models[0]?.fault ?? '', message)
        return found
      })
      assert.deepEqual([status.models[0]?.waiting, status.models[0]?.failed], [5, 0])
    }
    endpoint.embed = wordVector
    assert.equal((await embedded(service)).models[0]?.embedded, 5)
  }))

/** What makes vectors by the model `small`, when a test says so. */
function workOn(db: Db): EmbeddingWork {
  return {
    db,
    models: new EmbeddingModels(
      db,
      { name: 'small', dimensions: undefined },
      TEXT_VERSION,
      enqueueAllVectors,
    ),
    embedder: createEmbedder({ baseUrl: endpoint.url, apiKey: undefined }),
    batchSize: defaultBatchSize(),
    log: pino({ level: 'silent' }),
    isAlone: false,
  }
}

const running = new AbortController().signal

/** Does what the service does in the background to the words, until nothing is left. */
async function indexWords(db: Db): Promise<void> {
  while ((await indexNextBatch(db, new LexicalIndex(db, TEXT_VERSION, enqueueAllCompanies))) > 0);
}

test('processes share the work, and take over what one of them left behind', async () => {
  const shared = await testApp({ EMBEDDINGS: 'off' })
  try {
    const { db } = shared.context
    for (let n = 0; n < 200; n++) await create({ name: `Shared ${n}` }, shared)
    await indexWords(db)
    const work = workOn(db)
    await work.models.prepare()
    const [model] = await work.models.all()
    const left = await claimPending(db, model as StoredModel, 20)
    await Promise.all([1, 2, 3].map(() => embedConfigured(work, running)))
    const asked = endpoint.requests.flatMap(({ input }) => input)
    assert.deepEqual([asked.length, new Set(asked).size], [180, 180])
    assert.equal((await work.models.configured())?.state, 'filling')

    await sql`update embeddings_due set due_at = due_at - interval '1 hour'`.execute(db)
    await embedConfigured(work, running)
    assert.equal(endpoint.requests.flatMap(({ input }) => input).length, 180 + left.length)
    assert.equal((await work.models.configured())?.state, 'complete')
  } finally {
    await shared.close()
  }
})

test('a vector of an earlier text does not take the place of a later one', async () => {
  const racing = await testApp({ EMBEDDINGS: 'off' })
  try {
    const { db } = racing.context
    const id = await create({ name: 'First' }, racing)
    const work = workOn(db)
    endpoint.failWith = ({ input }) => (input[0] === 'First' ? { delay: 1000 } : undefined)
    const slow = embedConfigured(work, running)
    await eventually(() => assert.ok(endpoint.requests.length > 0))
    await racing.call('PATCH', `/api/companies/${id}`, { name: 'Second' })
    await indexWords(db)
    await embedConfigured(work, running)
    await slow
    const { rows } = await sql<{ text_hash: string }>`select text_hash from embeddings`.execute(db)
    assert.deepEqual(rows, [{ text_hash: textHash('Second') }])
    assert.equal((await work.models.configured())?.state, 'complete')
  } finally {
    await racing.close()
  }
})

test('an endpoint that is too slow is given less at a time', async () => {
  const slow = await testApp({ EMBEDDINGS: 'off' })
  try {
    for (let n = 0; n < 100; n++) await create({ name: `Slow ${n}` }, slow)
    await indexWords(slow.context.db)
    const work = workOn(slow.context.db)
    const patient = work.embedder
    const impatient: Embedder = {
      embed: (model, texts, options) => patient.embed(model, texts, { ...options, milliseconds: 100 }),
    }
    endpoint.failWith = ({ input }) => (input.length > 10 ? { delay: 1000 } : undefined)
    for (let tries = 0; tries < 3; tries++) {
      await embedConfigured({ ...work, embedder: impatient }, running).catch(() => {})
      await sql`update embeddings_due set due_at = now()`.execute(slow.context.db)
    }
    await embedConfigured(work, running)
    assert.ok(work.batchSize.texts <= 10)
    assert.equal((await work.models.configured())?.state, 'complete')
  } finally {
    await slow.close()
  }
})

test('an index that was cut short is made anew', { skip: !testServer && 'PostgreSQL only' }, async () => {
  const cut = await testApp({ EMBEDDINGS: 'off' })
  try {
    const { db } = cut.context
    await create({ name: 'Index' }, cut)
    const work = workOn(db)
    await embedConfigured(work, running)
    const isValid = async () => {
      const { rows } = await sql<{ valid: boolean }>`
        select indisvalid as valid from pg_index join pg_class on pg_class.oid = indexrelid
        where relname like 'embeddings_of_%'`.execute(db)
      return rows.map(({ valid }) => valid)
    }
    assert.deepEqual(await isValid(), [true])
    await sql`update pg_index set indisvalid = false
      where indexrelid in (select oid from pg_class where relname like 'embeddings_of_%')`.execute(db)
    await createVectorIndex(db, (await work.models.configured()) as StoredModel)
    assert.deepEqual(await isValid(), [true])
  } finally {
    await cut.close()
  }
})

test('pages fit together when a filter keeps what is far from the question', async () => {
  const far = await testApp({ EMBEDDINGS: 'off' })
  try {
    const { db } = far.context
    const { models } = workOn(db)
    await models.prepare()
    const [stored] = await models.all()
    const model = (await models.setLength(stored as StoredModel, 8)) as AnsweringModel
    const draw = createRandom(3)
    const near = (place: number) => Array.from({ length: 8 }, (_value, n) => (n === place ? 1 : 0.3 * draw()))
    const vectors = Array.from({ length: 5000 }, (_value, n) => ({
      id: `doc_${n}`,
      text_hash: '',
      vector: near(n % 10 === 0 ? 7 : 0),
    }))
    for (let start = 0; start < vectors.length; start += 500)
      await storeVectors(db, model, vectors.slice(start, start + 500))
    const question = JSON.stringify(near(0))
    const filter = sql`select id from embeddings where split_part(id, '_', 2)::int % 10 = 0`
    const nearest = async (limit: number, isSmall: boolean) => {
      const found = await nearestVectors(db, model, question, {
        limit,
        filter,
        isSmall,
        excludedId: undefined,
      })
      return found.map(({ id }) => id)
    }
    const all = await nearest(400, true)
    assert.equal(all.length, 400)
    const deep = await nearest(400, false)
    assert.ok(deep.filter((id) => all.includes(id)).length >= 0.95 * 400)
    assert.equal(new Set(deep).size, 400)
    for (const limit of [1, 20, 150]) assert.deepEqual(await nearest(limit, false), deep.slice(0, limit))
  } finally {
    await far.close()
  }
})

test('vectors of more dimensions than full precision can index are indexed in half', async () => {
  const huge = await testApp({ ...settings, EMBEDDINGS_MODEL: 'huge' })
  try {
    await create({ name: 'Riese', activity_description: 'Cars' }, huge)
    await create({ name: 'Zwerg', activity_description: 'Milk' }, huge)
    await embedded(huge)
    assert.deepEqual(names(await search({ q: 'dairy' }, huge)), ['Zwerg', 'Riese'])
    const { rows } = await sql<{ definition: string }>`
      select indexdef as definition from pg_indexes where indexname like 'embeddings_of_%'`.execute(
      huge.context.db,
    )
    assert.match(rows[0]?.definition ?? '', /halfvec\(2400\)/)
  } finally {
    await huge.close()
  }
})
