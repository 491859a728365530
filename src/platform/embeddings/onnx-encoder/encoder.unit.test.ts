import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import type { Encode } from '../serve-texts.ts'
import { loadOnnxEncoder } from './encoder.ts'
import { writeTinyModel } from './tiny-model.fixture.ts'

let root: string
let encode: Encode
before(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-onnx-'))
  await writeTinyModel(path.join(root, 'tiny'))
  encode = await loadOnnxEncoder(path.join(root, 'tiny'))
})
after(() => rm(root, { recursive: true, force: true }))

const similarity = async (one: string, other: string) => {
  const [a, b] = [await encode(one), await encode(other)]
  return a.reduce((sum, value, position) => sum + value * (b[position] ?? 0), 0)
}

test('texts with the same meaning have the same vector, of length 1', async () => {
  assert.ok((await similarity('A car', 'the Automobile!')) > 0.99)
  assert.ok((await similarity('car', 'milk')) < 0.1)
  assert.ok(Math.abs(Math.hypot(...(await encode('car milk nurse'))) - 1) < 1e-9)
})

test('the beginning of a long text counts, and an empty text has a vector too', async () => {
  assert.ok((await similarity(`car ${'word '.repeat(1000)} milk`, 'car')) > 0.99)
  assert.equal((await encode('')).length, 3)
})

test('the vector of the first token counts if the model asks for it', async () => {
  const folder = path.join(root, 'first')
  await writeTinyModel(folder)
  await mkdir(path.join(folder, '1_Pooling'))
  await writeFile(path.join(folder, '1_Pooling/config.json'), '{"pooling_mode_cls_token": true}')
  const encodeFirst = await loadOnnxEncoder(folder)
  assert.deepEqual(await encodeFirst('car'), await encodeFirst('milk'))
})

test('a folder that is no model is an error that names the file', async () => {
  const folder = path.join(root, 'broken')
  await mkdir(folder)
  await assert.rejects(
    loadOnnxEncoder(folder),
    /EMBEDDINGS_MODEL_PATH: .* one of these files: .*model\.onnx\./,
  )
  await writeFile(path.join(folder, 'model.onnx'), 'not a model')
  await assert.rejects(loadOnnxEncoder(folder), /must have the file tokenizer\.json\./)
  await writeFile(path.join(folder, 'tokenizer.json'), '{')
  await assert.rejects(loadOnnxEncoder(folder), /tokenizer\.json is not valid JSON\./)
  await writeFile(path.join(folder, 'tokenizer.json'), '{}')
  await assert.rejects(loadOnnxEncoder(folder), /the model in \S+ cannot be loaded/)
})
