import assert from 'node:assert/strict'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { pino } from 'pino'
import { openBuiltinEmbedder } from '#src/platform/embeddings/builtin-embedder.ts'
import type { Embedder } from '#src/platform/embeddings/endpoint-embedder.ts'
import { modelFolder, readModel } from '#src/platform/embeddings/sentence-encoder/model-files.ts'
import { createTokenizer } from '#src/platform/embeddings/sentence-encoder/tokenizer.ts'
import { EndpointFailure } from '#src/platform/model-endpoint/endpoint-errors.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { freshDatabase } from '#src/testing/database.ts'
import { eventually } from '#src/testing/eventually.ts'
import { slow } from '#src/testing/slow.ts'
import { LONG_TEXT, longTextVector } from './builtin-vector.fixture.ts'
import { type Indexes, openIndexes, searchCompanies } from './semantic.ts'
import { readStatus } from './status.ts'
import { create, embedded, names, search, statusOf } from './vectors.fixture.ts'

const COMPANIES = [
  ['Havrebro', 'Oat drinks and creams for cafés that avoid dairy.'],
  ['Vaktlinje', 'Plans the shifts of nurses and doctors in hospitals.'],
  ['Kestrel Bay', 'Robots pick and pack goods in warehouses overnight.'],
  ['Lumenloft', 'Solar panels for apartment buildings, paid by tenants each month.'],
  ['Inkless', 'Signs documents online with a verified identity.'],
] as const
const MODEL = 'universal-sentence-encoder-lite, text 1'
const silent = pino({ level: 'silent' })

/** All tests share one loaded model, in a thread that cannot use the network. */
let embedder: Required<Embedder>
let api: TestApp
before(async () => {
  const module = new URL(
    '../../platform/embeddings/sentence-encoder/without-network.fixture.ts',
    import.meta.url,
  )
  embedder = openBuiltinEmbedder(silent, { module })
  api = await testApp({ EMBEDDINGS: 'builtin' }, { embedder: { ...embedder, close: async () => {} } })
  for (const [name, activity_description] of COMPANIES) await create({ name, activity_description }, api)
  await embedded(api)
})
after(async () => {
  await api.close()
  await embedder.close()
})

const embed = async (...texts: string[]): Promise<number[][]> => {
  const model = { name: 'any', dimensions: undefined }
  const found = await embedder.embed(model, texts, { length: undefined, milliseconds: 60_000, retries: 0 })
  return found.map((embedding) => ('vector' in embedding ? embedding.vector : []))
}

test('the vectors are those of the published model', async () => {
  const text = 'Robots pick and pack goods in warehouses overnight. Rents them out per pick.'
  const [vector = []] = await embed(text)
  // Made without any change to how the model is computed.
  const expected = [0.072987, 0.029884, -0.057585, -0.003382, -0.024471, -0.056136, -0.061743, -0.046883]
  assert.equal(vector.length, 512)
  for (const [n, number] of expected.entries())
    assert.ok(Math.abs((vector[n] ?? Number.NaN) - number) < 1e-5, `${n}: ${vector[n]}`)

  const [long = []] = await embed(LONG_TEXT)
  const published = longTextVector()
  assert.deepEqual([long.length, published.length], [512, 512])
  const product = (a: number[], b: number[]) => a.reduce((sum, number, n) => sum + number * (b[n] ?? 0), 0)
  const cosine = product(long, published) / Math.sqrt(product(long, long) * product(published, published))
  assert.ok(cosine > 0.99999, String(cosine))
})

test('by default, search finds companies that share no word with the question', async () => {
  for (const [q, name] of [
    ['alternatives to cow milk', 'Havrebro'],
    ['medical staff roster', 'Vaktlinje'],
    ['electronic signature service', 'Inkless'],
    ['renewable energy by subscription', 'Lumenloft'],
  ] as const) {
    const { data } = await search({ q }, api)
    assert.equal(data[0]?.name, name, q)
    assert.deepEqual([data[0]?.matched_words, data[0]?.shares], [[], { words: 0, meaning: 1 }])
    assert.deepEqual(names(await search({ q, mode: 'words' }, api)), [], q)
  }
  const status = await statusOf(api)
  assert.deepEqual([status.embeddings, status.answering, status.is_semantic], ['builtin', MODEL, true])
  assert.deepEqual([status.models[0]?.dimensions, status.models[0]?.embedded], [512, COMPANIES.length])
})

test('a question that the model cannot read, or that has nothing to do with any company, has no results', async () => {
  for (const q of ['倉庫ロボット', '🤖', 'asdf qwer zxcv']) {
    assert.deepEqual(names(await search({ q }, api)), [], q)
    assert.equal((await search({ q, mode: 'vector' }, api)).data.length, COMPANIES.length, q)
  }
})

test('every company that contains the whole question is a result, however long its text', async () => {
  const ids: string[] = []
  for (const activity_description of [
    'Qvxzt qvxzt qvxzt',
    'A mill that makes qvxzt, cloth, yarn, felt, rope, nets and many other goods.',
    `Qvxzt and ${'something else again, '.repeat(20)}`,
  ])
    ids.push(await create({ name: 'Nordlys', activity_description }, api))
  await embedded(api)
  const { data } = await search({ q: 'qvxzt' }, api)
  assert.deepEqual(
    data.slice(0, 3).map(({ id }) => id),
    ids,
  )
})

test('similar companies are ranked by the model too', async () => {
  const id = await create(
    { name: 'Rostering', activity_description: 'Workforce scheduling for clinics.' },
    api,
  )
  await embedded(api)
  const { body } = await api.call('GET', `/api/companies/${id}/similar`)
  assert.equal(names(body)[0], 'Vaktlinje')
  assert.ok(body.data[0].shares.meaning > 0.5)
})

test('what the model finds is a result beside companies that contain the words', async () => {
  for (const n of [1, 2, 3]) await create({ name: `Kestrel Bay ${n}` }, api)
  await embedded(api)
  const found = await search({ q: 'Kestrel Bay, medical staff roster' }, api)
  assert.ok(names(found).includes('Kestrel Bay'))
  assert.ok(names(found).includes('Vaktlinje'), names(found).join())
})

test('the weights are those of the published package', async () => {
  const { weights, vocabulary } = await readModel()
  assert.deepEqual([weights.length, vocabulary.length], [27_903_656, 8000])
})

test('texts are split into the pieces that the model was trained on', async () => {
  const tokenize = createTokenizer((await readModel()).vocabulary)
  assert.deepEqual(tokenize('Hello, how are you?'), [341, 4125, 8, 140, 31, 19, 54])
  assert.deepEqual(tokenize('  Hello,\n how  are you? '), tokenize('Hello, how are you?'))
  assert.deepEqual(tokenize('倉庫🚀'), tokenize('倉'))
  assert.deepEqual(tokenize(' '), [])
})

test('vectors have the length 1, whatever the text', async () => {
  for (const vector of await embed('software', '', '倉庫🚀', '\0', 'x'.repeat(5000)))
    assert.ok(vector.length === 512 && Math.abs(Math.hypot(...vector) - 1) < 1e-3)
})

test('a vector depends on its text alone, and on 128 tokens of it', { skip: slow }, async () => {
  const texts = ['software', 'x'.repeat(127), 'oat milk', 'x'.repeat(128), '倉 oat 庫']
  const first = await embed(...texts)
  const again = await embed(...Array.from({ length: 20 }, () => texts).flat())
  for (const [n, vector] of again.entries()) assert.deepEqual(vector, first[n % texts.length])
  const word = 'a '
  const [cut, longer, shorter] = await embed(word.repeat(128), word.repeat(500), word.repeat(127))
  assert.deepEqual(cut, longer)
  assert.notDeepEqual(cut, shorter)
})

test('with a damaged model, words answer, the status says why, and there is one warning', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-model-'))
  await cp(modelFolder(), folder, { recursive: true })
  await writeFile(path.join(folder, 'vocab.json'), '[]')
  const warnings: string[] = []
  const log = pino({ level: 'warn' }, { write: (line) => warnings.push(JSON.parse(line).msg) })
  const damaged = await testApp(
    { EMBEDDINGS: 'builtin' },
    { embedder: openBuiltinEmbedder(log, { folder }), log },
  )
  try {
    await create({ name: 'Havrebro', activity_description: 'Oat drinks' }, damaged)
    await eventually(async () => {
      const { models } = await statusOf(damaged)
      assert.match(models[0]?.fault ?? '', /model-embeddings-en is missing or damaged.*npm ci/)
    })
    await eventually(async () => assert.deepEqual(names(await search({ q: 'oat' }, damaged)), ['Havrebro']))
    const { answering: active, is_semantic } = await statusOf(damaged)
    assert.deepEqual([active, is_semantic], ['words', false])
    assert.equal(warnings.length, 1, warnings.join('\n'))
  } finally {
    await damaged.close()
    await rm(folder, { recursive: true, force: true })
  }
})

test('a missing folder of the model is reported with what to do', async () => {
  const without = openBuiltinEmbedder(silent, { folder: path.join(modelFolder(), 'missing') })
  const model = { name: 'any', dimensions: undefined }
  const embedding = without.embed(model, ['oat'], { length: undefined, milliseconds: 60_000, retries: 0 })
  await assert.rejects(embedding, /model-embeddings-en is missing or damaged \(ENOENT.*npm ci/)
  await without.close()
})

test('when the model fails after all companies are embedded, words answer and the status shows it', async () => {
  const broken = { ...embedder, fault: () => 'The model stopped.', close: async () => {} }
  broken.embed = () => Promise.reject(new EndpointFailure('The model stopped.'))
  const { db, config } = api.context
  const indexes = openIndexes(db, config.embeddings, broken) as Indexes
  const { records } = await searchCompanies(db, indexes, { q: 'oat drinks and milk' })
  assert.deepEqual(
    (JSON.parse(records) as { name: string }[]).map(({ name }) => name),
    ['Havrebro'],
  )
  const { answering: active, is_semantic, models } = await readStatus(db, 'builtin', indexes)
  assert.deepEqual([active, is_semantic, models[0]?.fault], ['words', false, 'The model stopped.'])
})

test('the error of a model that has not been added yet is not shown as that of the previous model', async () => {
  const { db, config } = api.context
  const next = { ...config.embeddings, model: { name: 'next', dimensions: undefined } }
  const indexes = openIndexes(db, next, { ...embedder, fault: () => 'The model stopped.' }) as Indexes
  const { answering: active, models } = await readStatus(db, 'builtin', indexes)
  assert.equal(active, 'words')
  assert.deepEqual(
    models.map(({ model, fault: error }) => [model, error]),
    [[MODEL, null]],
  )
})

test('switching models in both directions leaves no company without a vector', { skip: slow }, async () => {
  const { close, ...database } = await freshDatabase()
  const open = (settings: Record<string, string>) =>
    testApp(settings, {
      database: { ...database, close: async () => {} },
      embedder: { ...embedder, close: async () => {} },
    })
  try {
    for (const [n, EMBEDDINGS] of ['builtin-words', 'builtin', 'builtin-words', 'builtin'].entries()) {
      const service = await open({ EMBEDDINGS })
      await create({ name: `Round ${n}`, activity_description: 'Oat drinks' }, service)
      if (EMBEDDINGS === 'builtin') {
        const { models } = await embedded(service, (status) => status.models[0]?.embedded === n + 1)
        assert.equal(models[0]?.failed, 0)
      } else await eventually(async () => assert.equal((await statusOf(service)).waiting, 0))
      assert.equal((await search({ q: 'oat' }, service)).pagination.total, n + 1)
      await service.close()
    }
  } finally {
    await close()
  }
})
