import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { writeTinyModel } from '#src/platform/embeddings/onnx-encoder/tiny-model.fixture.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { eventually } from '#src/testing/eventually.ts'
import { create, embedded, names, search, statusOf } from './vectors.fixture.ts'

let root: string
let api: TestApp
before(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-local-model-'))
  await writeTinyModel(path.join(root, 'tiny'))
  api = await testApp({ EMBEDDINGS: 'local', EMBEDDINGS_MODEL_PATH: path.join(root, 'tiny') })
})
after(async () => {
  await api.close()
  await rm(root, { recursive: true, force: true })
})

test('with a local model, search finds companies that share no word with the question', async () => {
  for (const [name, activity_description] of [
    ['Volta', 'Rents automobile by the hour'],
    ['Hafer', 'Dairy without cows'],
    ['Vaktplan', 'Shifts for a nurse'],
  ])
    await create({ name, activity_description }, api)
  const status = await embedded(api)
  assert.deepEqual(
    [status.embeddings, status.answering, status.models[0]?.dimensions],
    ['local', 'tiny, text 1', 3],
  )
  assert.equal(names(await search({ q: 'car' }, api))[0], 'Volta')
  assert.equal(names(await search({ q: 'milk' }, api))[0], 'Hafer')
})

test('without a usable model, words answer, and the status says why', async () => {
  const broken = await testApp({ EMBEDDINGS: 'local', EMBEDDINGS_MODEL_PATH: root })
  try {
    await create({ name: 'Volta', activity_description: 'Rents cars' }, broken)
    await eventually(async () => {
      const { models, answering: active } = await statusOf(broken)
      assert.match(models[0]?.fault ?? '', /must have one of these files: .*model\.onnx/)
      assert.equal(active, 'words')
    })
    await eventually(async () => assert.deepEqual(names(await search({ q: 'cars' }, broken)), ['Volta']))
  } finally {
    await broken.close()
  }
})
