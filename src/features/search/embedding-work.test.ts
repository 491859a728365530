import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createRandom } from '#src/cli/demo/random.ts'
import type { Embedder } from '#src/platform/embeddings/endpoint-embedder.ts'
import { textHash } from '#src/platform/text-hash.ts'
import { testApp } from '#src/testing/app.ts'
import { testServer } from '#src/testing/database.ts'
import { eventually } from '#src/testing/eventually.ts'
import { slow } from '#src/testing/slow.ts'
import { embedConfigured } from './vectors/embed-pending.ts'
import type { ActiveModel, StoredModel } from './vectors/stored-model.ts'
import { claimPending } from './vectors/vector-backlog.ts'
import { createVectorIndex } from './vectors/vector-index.ts'
import { nearestVectors, storeVectors } from './vectors/vectors.ts'
import {
  create,
  embedded,
  endpoint,
  indexWords,
  names,
  running,
  search,
  settings,
  startBeforeTests,
  workOn,
} from './vectors.fixture.ts'

startBeforeTests()

test('processes share the work, and take over the work of one that stopped', async () => {
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
    const requested = endpoint.requests.flatMap(({ input }) => input)
    assert.deepEqual([requested.length, new Set(requested).size], [180, 180])
    assert.equal((await work.models.configured())?.state, 'filling')

    await sql`update embeddings_due set due_at = due_at - interval '1 hour'`.execute(db)
    await embedConfigured(work, running)
    assert.equal(endpoint.requests.flatMap(({ input }) => input).length, 180 + left.length)
    assert.equal((await work.models.configured())?.state, 'complete')
  } finally {
    await shared.close()
  }
})

test('a vector of an earlier text does not replace a later one', async () => {
  const racing = await testApp({ EMBEDDINGS: 'off' })
  try {
    const { db } = racing.context
    const id = await create({ name: 'First' }, racing)
    const work = workOn(db)
    const later = Promise.withResolvers<void>()
    endpoint.failWith = ({ input }) => (input[0] === 'First' ? { after: later.promise } : undefined)
    const slow = embedConfigured(work, running)
    await eventually(() => assert.ok(endpoint.requests.length > 0))
    await racing.call('PATCH', `/api/companies/${id}`, { name: 'Second' })
    await indexWords(db)
    await embedConfigured(work, running)
    later.resolve()
    await slow
    const { rows } = await sql<{ text_hash: string }>`select text_hash from embeddings`.execute(db)
    assert.deepEqual(rows, [{ text_hash: textHash('Second') }])
    assert.equal((await work.models.configured())?.state, 'complete')
  } finally {
    await racing.close()
  }
})

test('a slow endpoint gets smaller batches', { skip: slow }, async () => {
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
    assert.ok(work.requests.texts <= 10)
    assert.equal((await work.models.configured())?.state, 'complete')
  } finally {
    await slow.close()
  }
})

test('with a limit, companies with a thesis come first, then the newest; none is missing after it is raised', async () => {
  const limited = await testApp({ EMBEDDINGS: 'off' })
  try {
    const { db } = limited.context
    const thesis = await limited.call('POST', '/api/theses', { code: 'OLD', title: 'Old' })
    await create({ name: 'Oldest', thesis_id: thesis.body.data.id }, limited)
    for (let n = 0; n < 5; n++) await create({ name: `Firm ${n}` }, limited)
    await indexWords(db)
    const embedWithin = async (maxVectors: number | undefined) => {
      await embedConfigured({ ...workOn(db), maxVectors }, running)
      const { rows } = await sql<{ name: string }>`
        select name from embeddings join companies using (id) order by id`.execute(db)
      return rows.map(({ name }) => name)
    }
    assert.deepEqual(await embedWithin(3), ['Oldest', 'Firm 3', 'Firm 4'])
    const done = async () => {
      const { models } = workOn(db)
      const { rows } = await sql`select from embeddings_due`.execute(db)
      assert.deepEqual([rows.length, (await models.configured())?.state], [0, 'complete'])
    }
    await done()
    await create({ name: 'Newest' }, limited)
    await indexWords(db)
    assert.deepEqual(await embedWithin(3), ['Oldest', 'Firm 4', 'Newest'])
    assert.deepEqual(await embedWithin(5), ['Oldest', 'Firm 2', 'Firm 3', 'Firm 4', 'Newest'])
    assert.deepEqual(await embedWithin(2), ['Oldest', 'Newest'])
    assert.equal((await embedWithin(undefined)).length, 7)
    await done()
  } finally {
    await limited.close()
  }
})

test('a company that gets its first deal or thesis gets a vector in place of one without', async (t) => {
  const limited = await testApp({ EMBEDDINGS: 'off' })
  try {
    const { db } = limited.context
    const thesis = await limited.call('POST', '/api/theses', { code: 'LATER', title: 'Later' })
    const ids: string[] = []
    for (let n = 0; n < 6; n++) ids.push(await create({ name: `Firm ${n}` }, limited))
    const work = { ...workOn(db), maxVectors: 3 }
    const embed = async (by: typeof work) => {
      await indexWords(db)
      await embedConfigured(by, running)
      const { rows } = await sql<{ name: string }>`
        select name from embeddings join companies using (id) order by id`.execute(db)
      return rows.map(({ name }) => name)
    }
    assert.deepEqual(await embed(work), ['Firm 3', 'Firm 4', 'Firm 5'])
    await limited.call('PATCH', `/api/companies/${ids[0]}`, { thesis_id: thesis.body.data.id })
    assert.deepEqual(await embed(work), ['Firm 0', 'Firm 4', 'Firm 5'])
    await limited.call('POST', '/api/dealflow', { company_id: ids[1] })
    assert.deepEqual(await embed(work), ['Firm 0', 'Firm 1', 'Firm 5'])
    await limited.call('PATCH', `/api/companies/${ids[2]}`, { status: 'inactive' })
    assert.deepEqual(await embed(work), ['Firm 0', 'Firm 1', 'Firm 5'])

    // A deletion makes room for one other company, which is embedded within an hour.
    await limited.call('DELETE', `/api/companies/${ids[1]}`)
    assert.deepEqual(await embed(work), ['Firm 0', 'Firm 5'])
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 3_600_000 })
    endpoint.requests.length = 0
    assert.deepEqual(await embed(work), ['Firm 0', 'Firm 4', 'Firm 5'])
    assert.deepEqual(
      endpoint.requests.flatMap(({ input }) => input),
      ['Firm 4'],
    )
    t.mock.timers.reset()

    // A deal from before the triggers existed.
    await sql`alter table dealflow disable trigger queue_preferred_of_dealflow_insert`.execute(db)
    await limited.call('POST', '/api/dealflow', { company_id: ids[2] })
    await sql`alter table dealflow enable trigger queue_preferred_of_dealflow_insert`.execute(db)
    assert.deepEqual(await embed(work), ['Firm 0', 'Firm 4', 'Firm 5'])
    assert.deepEqual(await embed({ ...workOn(db), maxVectors: 3 }), ['Firm 0', 'Firm 2', 'Firm 5'])
    assert.equal((await sql`select from embeddings_due`.execute(db)).rows.length, 0)
  } finally {
    await limited.close()
  }
})

test('a company that has a vector is not indexed again for a deal or a thesis', async () => {
  const all = await testApp({ EMBEDDINGS: 'off' })
  try {
    const { db } = all.context
    const thesis = await all.call('POST', '/api/theses', { code: 'NOW', title: 'Now' })
    const id = await create({ name: 'Embedded' }, all)
    await indexWords(db)
    await embedConfigured(workOn(db), running)
    await all.call('PATCH', `/api/companies/${id}`, { thesis_id: thesis.body.data.id })
    await all.call('POST', '/api/dealflow', { company_id: id })
    const { rows } = await sql`select from companies_to_embed`.execute(db)
    assert.equal(rows.length, 0)
  } finally {
    await all.close()
  }
})

test('a vector that is missing is made again after a restart', async () => {
  const lossy = await testApp({ EMBEDDINGS: 'off' })
  try {
    const { db } = lossy.context
    for (let n = 0; n < 3; n++) await create({ name: `Firm ${n}` }, lossy)
    await indexWords(db)
    await embedConfigured(workOn(db), running)
    await sql`delete from embeddings where id in (select id from companies where name <> 'Firm 1')`.execute(
      db,
    )
    endpoint.requests.length = 0
    await embedConfigured(workOn(db), running)
    assert.deepEqual(endpoint.requests.flatMap(({ input }) => input).sort(), ['Firm 0', 'Firm 2'])
  } finally {
    await lossy.close()
  }
})

test('an interrupted index build starts over', { skip: !testServer && 'PostgreSQL only' }, async () => {
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

test('pages are consistent when a filter keeps distant matches', { skip: slow }, async () => {
  const far = await testApp({ EMBEDDINGS: 'off' })
  try {
    const { db } = far.context
    const { models } = workOn(db)
    await models.prepare()
    const [stored] = await models.all()
    const model = (await models.setLength(stored as StoredModel, 8)) as ActiveModel
    const draw = createRandom(3)
    const near = (position: number) =>
      Array.from({ length: 8 }, (_value, n) => (n === position ? 1 : 0.3 * draw()))
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

test('vectors with too many dimensions for a full-precision index use half precision', async () => {
  const huge = await testApp({ ...settings, EMBEDDINGS_MODEL: 'huge' })
  try {
    await create({ name: 'Riese', activity_description: 'Cars' }, huge)
    await create({ name: 'Zwerg', activity_description: 'Milk' }, huge)
    await embedded(huge)
    assert.deepEqual(names(await search({ q: 'dairy', mode: 'vector' }, huge)), ['Zwerg', 'Riese'])
    const { rows } = await sql<{ definition: string }>`
      select indexdef as definition from pg_indexes where indexname like 'embeddings_of_%'`.execute(
      huge.context.db,
    )
    assert.match(rows[0]?.definition ?? '', /halfvec\(2400\)/)
  } finally {
    await huge.close()
  }
})
