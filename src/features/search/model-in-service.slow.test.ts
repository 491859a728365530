import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { pino } from 'pino'
import { type EmbeddingEndpoint, startEmbeddingEndpoint } from '#dev/embedding-endpoint.ts'
import { loadConfig } from '#src/platform/config/config.ts'
import type { Embedder } from '#src/platform/embeddings/endpoint-embedder.ts'
import { openEmbedder } from '#src/platform/embeddings/open-embedder.ts'
import { testApp } from '#src/testing/app.ts'
import { freshDatabase } from '#src/testing/database.ts'
import { eventually } from '#src/testing/eventually.ts'
import { create, embedded, names, search, statusOf } from './vectors.fixture.ts'

const inService = { EMBEDDINGS: 'builtin' }
let endpoint: EmbeddingEndpoint
/** With vectors as long as those of the model in the service. */
let atEndpoint: Record<string, string>
before(async () => {
  endpoint = await startEmbeddingEndpoint()
  atEndpoint = {
    EMBEDDINGS: 'openai-compatible',
    EMBEDDINGS_BASE_URL: endpoint.url,
    EMBEDDINGS_MODEL: 'small',
    EMBEDDINGS_DIMENSIONS: '512',
  }
})
after(() => endpoint.close())

test('between an endpoint and a model in the service, no question is compared with vectors of the other', async () => {
  const { close, ...database } = await freshDatabase()
  const open = (settings: Record<string, string>, more: { embedder?: Embedder } = {}) =>
    testApp(settings, { database: { ...database, close: async () => {} }, ...more })
  try {
    const first = await open(atEndpoint)
    await create({ name: 'Volta', activity_description: 'Rents automobile by the hour' }, first)
    await create({ name: 'Hafer', activity_description: 'Dairy without cows' }, first)
    await embedded(first)
    await first.close()

    const held = holdCompanies(openEmbedder(loadConfig(inService).embeddings, pino({ level: 'silent' })))
    const second = await open(inService, held)
    await eventually(async () => {
      const { answering: active, is_semantic, models } = await statusOf(second)
      assert.deepEqual([active, is_semantic], ['words', false])
      assert.deepEqual(
        models.map(({ state, embedded }) => [state, embedded]),
        [
          ['filling', 0],
          ['complete', 2],
        ],
      )
    })
    assert.deepEqual(names(await search({ q: 'car' }, second)), [])
    held.release()
    await embedded(second, (status) => status.models.length === 1)
    assert.equal(names(await search({ q: 'car' }, second))[0], 'Volta')
    await second.close()

    endpoint.failWith = () => ({ status: 404 })
    const third = await open(atEndpoint)
    await eventually(async () => assert.notEqual((await statusOf(third)).models[0]?.fault, null))
    const status = await statusOf(third)
    assert.deepEqual([status.answering, status.is_semantic], ['words', false])
    assert.deepEqual(names(await search({ q: 'automobile' }, third)), ['Volta'])
    endpoint.failWith = () => undefined
    await embedded(third, (now) => now.models.length === 1 && now.models[0]?.embedded === 2)
    await third.close()
  } finally {
    await close()
  }
})

/** An embedder that embeds questions, and companies once they are released. */
function holdCompanies(embedder: Embedder | undefined): { embedder: Embedder; release: () => void } {
  assert.ok(embedder)
  const { promise, resolve } = Promise.withResolvers<void>()
  const embed: Embedder['embed'] = async (model, texts, options) => {
    if (!options.isUrgent) await promise
    return embedder.embed(model, texts, options)
  }
  return { embedder: { ...embedder, embed }, release: resolve }
}
