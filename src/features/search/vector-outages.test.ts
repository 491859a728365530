import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wordVector } from '#dev/embedding-endpoint.ts'
import { createEmbedder } from '#src/platform/embeddings/endpoint-embedder.ts'
import { eventually } from '#src/testing/eventually.ts'
import { slow } from '#src/testing/slow.ts'
import {
  api,
  create,
  embedded,
  endpoint,
  names,
  onDatabase,
  refused,
  search,
  startBeforeTests,
  statusOf,
} from './vectors.fixture.ts'

startBeforeTests()

test('an endpoint failure is a 503 that says what to do, and pending texts are embedded after recovery', async () => {
  const errors = [
    [{ status: 401, message: 'bad key sk-123' }, /rejects the API key \(401\); check EMBEDDINGS_API_KEY/],
    [{ status: 404 }, /no such model or path.*EMBEDDINGS_MODEL/],
    [{ status: 400 }, /rejected the text.*every text/],
    [{ status: 429, headers: { 'retry-after-ms': '1' } }, /rate limited \(429\)/],
    [{ status: 500, headers: { 'retry-after-ms': '1' } }, /failed \(500\)/],
    [{ body: '{"nonsense":true}' }, /unreadable response/],
    [{ body: 'nonsense' }, /unreadable response/],
  ] as const
  for (const [n, [error, message]] of errors.entries()) {
    endpoint.failWith = () => error
    const details = await refused(`fault${n}`)
    assert.match(details, message)
    assert.doesNotMatch(details, /sk-123/)
  }
  const id = await create({ name: 'Patience', activity_description: 'Waits' })
  assert.equal((await api.call('GET', `/api/companies/${id}`)).status, 200)
  await eventually(async () => {
    const [{ waiting, fault: error } = { waiting: 0, fault: null }] = (await statusOf()).models
    assert.ok(waiting > 0 && error)
  })
  endpoint.failWith = () => undefined
  await embedded(api)
  assert.equal(names(await search({ q: 'Patience' }))[0], 'Patience')
})

test('a vector of another length is a 503 that names the setting', async () => {
  endpoint.embed = () => [1, 2, 3]
  assert.match(await refused('lengths'), /3 dimensions instead of 64; set EMBEDDINGS_DIMENSIONS/)
})

test('temporary failures are retried, and slow responses time out', async () => {
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
  const found = await embed(60_000)
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

test('vectors are matched to their texts, whatever their order in the response', async () => {
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
    milliseconds: 60_000,
    retries: 0,
  })
  assert.deepEqual(found, [{ vector: [1, 0] }, { vector: [0, 1] }])
})

test('one text that the endpoint rejects does not hold up the others', { skip: slow }, () =>
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
    assert.match(reasons.Poison ?? '', /failed on the text \(500/)
    assert.match(reasons.Bare ?? '', /unreadable response/)
  }),
)

test('an endpoint that rejects every text marks none as failed', { skip: slow }, () =>
  onDatabase(async (open) => {
    const service = await open()
    for (let n = 0; n < 5; n++) await create({ name: `Fine ${n}` }, service)
    for (const [error, message] of [
      [() => new Array(64).fill(0), /zeros\. This happens for every text/],
      [
        () => new Array(5000).fill(1),
        /5000 dimensions, and pgvector can index at most 4000\. Set EMBEDDINGS_DIMENSIONS/,
      ],
    ] as const) {
      endpoint.embed = error
      const status = await eventually(async () => {
        const found = await statusOf(service)
        assert.match(found.models[0]?.fault ?? '', message)
        return found
      })
      assert.deepEqual([status.models[0]?.waiting, status.models[0]?.failed], [5, 0])
    }
    endpoint.embed = wordVector
    assert.equal((await embedded(service)).models[0]?.embedded, 5)
  }),
)
