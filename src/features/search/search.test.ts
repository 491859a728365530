import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { unaccent } from '@electric-sql/pglite/contrib/unaccent'
import { Kysely, PGliteDialect, sql } from 'kysely'
import { migrations } from '#src/migrations/migrations.ts'
import type { Database, Db } from '#src/platform/database/database.ts'
import { migrate } from '#src/platform/database/migrate.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { freshPostgres, testServer } from '#src/testing/database.ts'
import { eventually } from '#src/testing/eventually.ts'
import { slow } from '#src/testing/slow.ts'
import { TEXT_VERSION } from './embedding-text.ts'
import { searchCompanies } from './semantic.ts'
import { enqueueAllCompanies, indexNextBatch } from './words/index-changed.ts'
import { LexicalIndex } from './words/lexical-index.ts'

const COMPANIES = [
  ['Nordlys Robotics', 'NO', 'active', 'Picking robots for mid-sized warehouses and their pallets.'],
  ['Oatly Fields', 'SE', 'active', 'Drinks made of oats, an alternative to milk from cows.'],
  ['Vaktplan', 'NO', 'active', 'Software that plans the shifts of nurses and other hospital staff.'],
  ['Grüne Wärme', 'DE', 'inactive', 'Wärmepumpen für Altbauten; heat pumps for old buildings.'],
  ['Lager 7', 'DE', 'active', 'Shelves for warehouses.'],
  ['東京ロボット', 'JP', 'active', '倉庫で働くロボットを作る会社。SaaSも'],
] as const

let api: TestApp
const ids: Record<string, string> = {}
before(async () => {
  api = await testApp()
  for (const [name, country_code, status, activity_description] of COMPANIES) {
    const { body } = await api.call('POST', '/api/companies', {
      name,
      country_code,
      status,
      activity_description,
    })
    ids[name] = body.data.id
  }
  await indexed(api)
})
after(() => api.close())

/** Waits until the background work has indexed all changes. */
const indexed = ({ context }: TestApp): Promise<void> =>
  eventually(async () => {
    const { rows } = await sql`select company_id from companies_to_embed limit 1`.execute(context.db)
    assert.deepEqual(rows, [], 'a company is not indexed')
  })

interface Result {
  name: string
  similarity: number
  embedding_stale: boolean
  matched_words?: string[]
  shares: { words: number; meaning: number }
}

async function search(query: Record<string, string | number>, of = api) {
  const text = new URLSearchParams(query as Record<string, string>)
  const { status, body } = await of.call('GET', `/api/companies/search/semantic?${text}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body as { data: Result[]; pagination: { total: number; hasMore: boolean } }
}

const names = ({ data }: { data: Result[] }) => data.map(({ name }) => name)

test('the best answer comes first, and who has no word of the question is not there', async () => {
  const found = await search({ q: 'software that schedules hospital staff' })
  assert.equal(names(found)[0], 'Vaktplan')
  assert.ok(!names(found).includes('Lager 7'))
  assert.deepEqual(names(await search({ q: 'alternatives to cow milk' })), ['Oatly Fields'])
  const robots = await search({ q: 'robot for a warehouse', mode: 'words' })
  assert.deepEqual(names(robots).slice(0, 2), ['Nordlys Robotics', 'Lager 7'])
  for (const { similarity } of robots.data) assert.ok(similarity > 0 && similarity <= 1)
  const [first, second] = robots.data as [Result, Result]
  assert.ok(first.similarity > second.similarity)
  assert.equal(robots.pagination.total, robots.data.length)
})

test('case, accents and English endings do not matter, and other scripts are searched too', async () => {
  assert.deepEqual(names(await search({ q: 'WARMEPUMPE für grune' }))[0], 'Grüne Wärme')
  assert.deepEqual(names(await search({ q: 'PALLET' })), ['Nordlys Robotics'])
  assert.deepEqual(names(await search({ q: 'planning nursing' })), ['Vaktplan'])
  for (const q of ['倉庫ロボット', '倉', 'SaaS', 'saas会社'])
    assert.deepEqual(names(await search({ q })), ['東京ロボット'], q)
})

test('filters, and pages that do not repeat or miss a company', async () => {
  assert.deepEqual(names(await search({ q: 'warehouses', country_code: 'de' })), ['Lager 7'])
  assert.deepEqual(names(await search({ q: 'heat pumps', status: 'active' })), [])
  const nothing = await search({ q: 'warehouses', country_code: 'FR' })
  assert.deepEqual([nothing.data, nothing.pagination.total, nothing.pagination.hasMore], [[], 0, false])
  const all = names(await search({ q: 'for warehouses of robots and milk' }))
  const paged: string[] = []
  for (let offset = 0; offset < all.length; offset++)
    paged.push(...names(await search({ q: 'for warehouses of robots and milk', limit: 1, offset })))
  assert.deepEqual(paged, all)
  assert.deepEqual(names(await search({ q: 'robots', offset: 1000 })), [])
})

test('filters by industry, thesis and score, in all modes and for companies like one', async () => {
  const thesis = (await api.call('POST', '/api/theses', { code: 'JAM', title: 'Jam' })).body.data.id
  const jams: [string, object][] = [
    ['Jam A', { industry_category: 'Food', thesis_id: thesis, llm_score_overall: 80 }],
    ['Jam B', { industry_category: 'Food', llm_score_overall: 79 }],
    ['Jam C', { thesis_id: thesis }],
  ]
  for (const [name, fields] of jams) {
    const jam = { name, activity_description: 'Marmalade of quinces', ...fields }
    ids[name] = (await api.call('POST', '/api/companies', jam)).body.data.id
  }
  await indexed(api)
  const expected: [Record<string, string | number>, string[]][] = [
    [{ industry_category: 'Food' }, ['Jam A', 'Jam B']],
    [{ thesis_id: thesis }, ['Jam A', 'Jam C']],
    [{ min_score: 80 }, ['Jam A']],
    [{ min_score: 0 }, ['Jam A', 'Jam B']],
    [{ thesis_id: thesis, industry_category: 'Food', min_score: 50, status: 'active' }, ['Jam A']],
    [{ thesis_id: 'th_none' }, []],
  ]
  for (const [filters, found] of expected) {
    for (const mode of ['auto', 'vector', 'words']) {
      const answer = await search({ q: 'quince marmalade', mode, ...filters })
      assert.deepEqual(names(answer).sort(), found, JSON.stringify(filters))
      assert.equal(answer.pagination.total, found.length)
    }
    const text = new URLSearchParams(filters as Record<string, string>)
    const { body } = await api.call('GET', `/api/companies/${ids['Jam C']}/similar?${text}`)
    const others = found.filter((name) => name !== 'Jam C')
    assert.deepEqual(names(body).sort(), others, `like one: ${text}`)
  }
})

test('each result names the words that it has; without a model, words alone rank', async () => {
  const { data } = await search({ q: 'Robots, robots and drones in a warehouse' })
  assert.deepEqual(data[0]?.matched_words, ['Robots', 'warehouse'])
  for (const { shares } of data) assert.deepEqual(shares, { words: 1, meaning: 0 })
  const { body } = await api.call('GET', '/api/companies/search/status')
  assert.deepEqual(
    [body.data.embeddings, body.data.answering, body.data.is_semantic],
    ['builtin-words', 'words', false],
  )
})

test('companies that match little of a question are left out, unless mode=words asks for all', async () => {
  const q = 'robots that pick pallets, for warehouses'
  const all = names(await search({ q, mode: 'words' }))
  assert.ok(all.includes('Lager 7'))
  const supported = await search({ q })
  assert.deepEqual(names(supported), ['Nordlys Robotics'])
  assert.equal(supported.pagination.total, 1)
})

test('a change is found within seconds', async () => {
  const id = ids['Lager 7'] as string
  await api.call('PATCH', `/api/companies/${id}`, { activity_description: 'Forklifts without a driver.' })
  await indexed(api)
  assert.equal((await search({ q: 'driverless forklift' })).data[0]?.name, 'Lager 7')
  assert.deepEqual(names(await search({ q: 'shelves' })), [])
  assert.equal((await search({ q: 'forklift' })).data[0]?.embedding_stale, false)
})

/** What is counted of words and companies, beside what there is of them. */
async function checkCounts(): Promise<void> {
  const { rows } = await sql<{ wrong: number; documents: number; vectors: number }>`
    select (select count(*)::int from lexical_words full join (
        select split_part(part, ':', 1)::int - 1 as dimension, count(*) as n from lexical_vectors,
          unnest(string_to_array(trim(both '{}' from split_part(weights::text, '/', 1)), ',')) part group by 1
      ) found using (dimension) where coalesce(documents, 0) <> coalesce(n, 0)) as wrong,
      (select documents::int from lexical_corpus) as documents,
      (select count(*)::int from lexical_vectors) as vectors`.execute(api.context.db)
  const [counts] = rows
  assert.equal(counts?.wrong, 0)
  assert.equal(counts?.documents, counts?.vectors)
}

test('how many companies have a word stays right through changes', checkCounts)

test('companies like one', async () => {
  await api.call('POST', '/api/companies', {
    name: 'Sortwerk',
    activity_description: 'Robots that sort pallets.',
  })
  await indexed(api)
  const { status, body } = await api.call('GET', `/api/companies/${ids['Nordlys Robotics']}/similar?limit=2`)
  assert.equal(status, 200)
  assert.ok(!names(body).includes('Nordlys Robotics'))
  assert.equal(names(body)[0], 'Sortwerk')
  assert.ok(body.data[0].similarity < 1)
  assert.equal((await api.call('GET', '/api/companies/cmp_none/similar')).status, 404)
})

test('questions of every kind get an answer or a reason', async () => {
  for (const q of [
    'x',
    '🚀🚀',
    '"robots" AND -milk OR (warehouse:*)',
    "'; drop table companies; --",
    '%_\\',
    '倉',
  ])
    await search({ q })
  for (const q of ['🚀', '✈️']) assert.equal((await search({ q })).pagination.total, 0)
  await search({ q: 'robot '.repeat(166) })
  for (const [query, message] of [
    ['q=%20%20', /q must be text of 1 to 1000 characters that is not blank/],
    ['q=', /q is required/],
    ['', /q is required/],
    [`q=${'x'.repeat(1001)}`, /q must be text of 1 to 1000/],
    ['q=x&mode=magic', /mode must be one of auto, vector, words/],
    ['q=x&limit=-1', /limit must be/],
    ['q=x&search=y', /search is not a known query parameter/],
    ['q=x&q=y', /q must appear only once/],
  ] as const) {
    const { status, body } = await api.call('GET', `/api/companies/search/semantic?${query}`)
    assert.equal(status, 400, query)
    assert.match(body.details, message)
  }
})

test('a text of more words than a vector can have is indexed by its first ones', async () => {
  const letters = Array.from({ length: 19_900 }, (_value, n) => String.fromCodePoint(0x4e00 + n)).join('')
  await api.call('POST', '/api/companies', { name: 'Long', activity_description: `Telescopes ${letters}` })
  await indexed(api)
  assert.deepEqual(names(await search({ q: 'telescope' })), ['Long'])
})

test('companies of an import are found', async () => {
  const rows = Array.from({ length: 250 }, (_value, n) => `Number${n} Ltd,Imported maker of gadget${n}`)
  await api.call('POST', '/api/companies/import', undefined, {
    payload: `name,description\n${rows.join('\n')}\n`,
    headers: { 'content-type': 'text/csv' },
  })
  await indexed(api)
  assert.equal((await search({ q: 'gadget123' })).data[0]?.name, 'Number123 Ltd')
  assert.equal((await search({ q: 'imported', limit: 1000 })).pagination.total, 250)
})

test('the best are the same whether all companies are read, those with any word, or those with rare words', {
  skip: slow,
}, async () => {
  // Its rare word weighs less than the common words of the others, because its text is long.
  const longText = Array.from({ length: 300 }, (_value, n) => `filler${n}`).join(' ')
  await api.call('POST', '/api/companies', {
    name: 'Brewer',
    activity_description: `${longText} zymurgy`,
  })
  for (let n = 0; n < 8; n++) await api.call('POST', '/api/companies', { name: `Valve compressor ${n}` })
  await indexed(api)
  const indexesOf = (rare: number, all: number) => ({
    lexicalIndex: new LexicalIndex(api.context.db, TEXT_VERSION, enqueueAllCompanies, { rare, all }),
    vectors: undefined,
  })
  const everyone = indexesOf(0, 0)
  for (const [rare, all] of [
    [0, 1000],
    [0.005, 0],
    [0.005, 1000],
    [0.02, 0.3],
    [0.1, 1000],
    [0.5, 0],
    [1, 1],
    [1000, 1000],
  ] as const) {
    const few = indexesOf(rare, all)
    for (const q of [
      'imported maker of gadget7',
      'robots for warehouses',
      'maker of robots',
      'imported gadget1 gadget2',
      'zymurgy valve compressor',
      'ltd',
    ])
      for (const page of [
        { limit: 1 },
        { limit: 1, mode: 'words' as const },
        { limit: 20, mode: 'words' as const },
        { limit: 20 },
        { limit: 3, offset: 5 },
        { limit: 1000 },
        { country_code: 'NO' },
      ]) {
        const query = { q, ...page }
        const expected = await searchCompanies(api.context.db, everyone, query)
        assert.deepEqual(await searchCompanies(api.context.db, few, query), expected, JSON.stringify(query))
      }
  }
})

test('two processes index each company once', async () => {
  const index = new LexicalIndex(api.context.db, TEXT_VERSION, enqueueAllCompanies)
  await Promise.all(
    Array.from({ length: 30 }, (_value, n) => api.call('POST', '/api/companies', { name: `Twin ${n}` })),
  )
  await Promise.all([1, 2, 3].map(() => indexNextBatch(api.context.db, index)))
  await indexed(api)
  assert.equal((await search({ q: 'twin', limit: 100 })).pagination.total, 30)
  await checkCounts()
})

test('another model computes all vectors again', async () => {
  await sql`update lexical_corpus set model = 'older'`.execute(api.context.db)
  const index = new LexicalIndex(api.context.db, TEXT_VERSION, enqueueAllCompanies)
  await indexNextBatch(api.context.db, index)
  await indexed(api)
  assert.equal(names(await search({ q: 'hospital nurses' }))[0], 'Vaktplan')
})

test('with search switched off, it is a 503 with the reason, and everything else works', async () => {
  const off = await testApp({ EMBEDDINGS: 'off' })
  try {
    const { status, body } = await off.call('GET', '/api/companies/search/semantic?q=x')
    assert.equal(status, 503)
    assert.match(body.details, /EMBEDDINGS=off/)
    assert.equal((await off.call('POST', '/api/companies', { name: 'x' })).status, 201)
  } finally {
    await off.close()
  }
})

async function withoutPgvector(database: Database): Promise<void> {
  const bare = await testApp({}, { database })
  try {
    const { status, body } = await bare.call('GET', '/api/companies/search/semantic?q=x')
    assert.equal(status, 503)
    assert.match(body.details, /no pgvector.*create extension vector/)
    const { data } = (await bare.call('POST', '/api/companies', { name: 'Acme' })).body
    assert.equal((await bare.call('GET', `/api/companies/${data.id}/similar`)).status, 503)
    const { body: progress } = await bare.call('GET', '/api/companies/search/status')
    assert.deepEqual([progress.data.answering, progress.data.models], [null, []])
    assert.match(progress.data.fault, /no pgvector.*create extension vector/)
    assert.equal((await bare.call('GET', '/api/companies?search=acme')).body.pagination.total, 1)
    const action = { action_type: 'generate_embeddings', company_ids: [data.id] }
    const waiting = await bare.call('POST', '/api/bulk-actions', action)
    assert.deepEqual([waiting.status, waiting.body.data.status], [201, 'pending'])
    assert.match(waiting.body.data.waiting_for, /no pgvector.*create extension vector/)
    assert.equal((await bare.call('GET', '/readyz')).status, 200)
  } finally {
    await bare.close()
  }
}

test('an embedded database without pgvector is a 503 that says what to do, and the rest works', {
  skip: slow || (testServer && 'embedded only'),
}, async () => {
  const pglite = await PGlite.create({ extensions: { pg_trgm, unaccent } })
  const db = new Kysely({ dialect: new PGliteDialect({ pglite }) }) as Db
  await migrate(db, migrations)
  await withoutPgvector({
    db,
    long: db,
    longBatchLength: 500_000,
    maxBatchMs: 100,
    background: db,
    probe: db,
    source: { pglite },
    close: () => db.destroy(),
  })
})

const bareServer = process.env.TEST_DATABASE_URL_WITHOUT_PGVECTOR

test(
  'PostgreSQL without pgvector is a 503 that says what to do, and the rest works',
  {
    skip: !(testServer && bareServer) && 'PostgreSQL without pgvector only',
  },
  async () => withoutPgvector(await freshPostgres(bareServer as string)),
)

test('a company that has changed is marked until it is indexed', async () => {
  const held = await testApp({ EMBEDDINGS: 'off' })
  try {
    const { db } = held.context
    const lexicalIndex = new LexicalIndex(db, TEXT_VERSION, enqueueAllCompanies)
    const isPending = async () => {
      const { records } = await searchCompanies(db, { lexicalIndex, vectors: undefined }, { q: 'shelves' })
      return (JSON.parse(records) as Result[]).map(({ embedding_stale }) => embedding_stale)
    }
    const { data } = (
      await held.call('POST', '/api/companies', { name: 'Lager', activity_description: 'Shelves' })
    ).body
    await indexNextBatch(db, lexicalIndex)
    assert.deepEqual(await isPending(), [false])
    await held.call('PATCH', `/api/companies/${data.id}`, { revenue_eur: 5 })
    assert.deepEqual(await isPending(), [false])
    await held.call('PATCH', `/api/companies/${data.id}`, { activity_description: 'Shelves and racks' })
    assert.deepEqual(await isPending(), [true])
    await indexNextBatch(db, lexicalIndex)
    assert.deepEqual(await isPending(), [false])
  } finally {
    await held.close()
  }
})
