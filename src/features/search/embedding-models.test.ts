import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { wordVector } from '#dev/embedding-endpoint.ts'
import { signWorkerToken } from '#src/platform/identity/worker-token.ts'
import { freshDatabase } from '#src/testing/database.ts'
import { eventually } from '#src/testing/eventually.ts'
import { slow } from '#src/testing/slow.ts'
import { TEXT_VERSION } from './embedding-text.ts'
import {
  COMPANIES,
  create,
  embedded,
  endpoint,
  names,
  onDatabase,
  search,
  startBeforeTests,
  statusOf,
  workOn,
} from './vectors.fixture.ts'
import { enqueueAllCompanies } from './words/index-changed.ts'
import { LexicalIndex } from './words/lexical-index.ts'

startBeforeTests()

test('a new model embeds everything again while the old one answers', { skip: slow }, () =>
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
    const id = await create({ name: 'Between', activity_description: 'Created during the change' }, second)
    await eventually(async () => {
      const found = names(await search({ q: 'Between', mode: 'vector' }, second))
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
  }),
)

test('words answer while vectors are being made, and the vectors that exist take part', { skip: slow }, () =>
  onDatabase(async (open) => {
    const service = await open()
    let calls = 0
    endpoint.failWith = ({ input }) => {
      if (input.length > 1) calls += 1
      return calls > 1 ? { status: 429, headers: { 'retry-after-ms': '1' } } : undefined
    }
    await eventually(async () => {
      const { answering: active, is_semantic } = await statusOf(service)
      assert.deepEqual([active, is_semantic], ['words', false])
    })
    const rows = Array.from({ length: 300 }, (_value, n) => `Firm ${n},Makes gadget${n}`)
    await service.call('POST', '/api/companies/import', undefined, {
      payload: `name,description\n${rows.join('\n')}\n`,
      headers: { 'content-type': 'text/csv' },
    })
    const status = await eventually(async () => {
      const found = await statusOf(service)
      assert.match(found.models[0]?.fault ?? '', /rate limited/)
      assert.equal(found.waiting, 0)
      return found
    })
    assert.deepEqual([status.answering, status.models[0]?.state], ['small, text 1', 'filling'])
    assert.ok((status.models[0]?.embedded ?? 0) < 300)
    for (const n of [0, 123, 299])
      assert.equal(names(await search({ q: `gadget${n}` }, service))[0], `Firm ${n}`)
    endpoint.failWith = () => undefined
    const done = await embedded(service)
    assert.deepEqual([done.models[0]?.embedded, done.models[0]?.fault], [300, null])
  }),
)

test('several processes can create the indexes of a new database at once', async () => {
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

test('a failed company is no longer marked once a worker has embedded it', () =>
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
