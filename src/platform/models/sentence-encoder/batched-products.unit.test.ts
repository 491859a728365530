import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { deregisterOp, loadGraphModel } from '@tensorflow/tfjs-converter'
import '@tensorflow/tfjs-backend-wasm'
import { env, type io, memory, ready, setBackend, type Tensor, tensor } from '@tensorflow/tfjs-core'
import { createRandom } from '#src/cli/demo/random.ts'
import { separateBatchedProducts } from './batched-products.ts'

before(async () => {
  env().set('WASM_HAS_MULTITHREAD_SUPPORT', false)
  await setBackend('wasm')
  await ready()
})

/** A model that only multiplies its inputs. */
function loadProduct(adj_x: boolean, adj_y: boolean) {
  const input = (name: string) => ({ name, op: 'Placeholder', attr: { dtype: { type: 'DT_FLOAT' } } })
  const attr = { T: { type: 'DT_FLOAT' }, adj_x: { b: adj_x }, adj_y: { b: adj_y } }
  const product = { name: 'product', op: 'BatchMatMul', input: ['left', 'right'], attr }
  const modelTopology = { node: [input('left'), input('right'), product], versions: {}, library: {} }
  const artifacts = { modelTopology, weightSpecs: [], weightData: new ArrayBuffer(0) }
  return loadGraphModel({ load: async () => artifacts as unknown as io.ModelArtifacts })
}

const next = createRandom(5)
const batch = (...shape: number[]) =>
  tensor(
    Float32Array.from({ length: shape.reduce((product, size) => product * size) }, () => next() - 0.5),
    shape,
  )

test('batches of matrices have the same products as in one step, and leave nothing in memory', async () => {
  for (const [adj_x, adj_y] of [
    [false, false],
    [false, true],
    [true, false],
    [true, true],
  ] as const) {
    const left = batch(1, 4, ...(adj_x ? [64, 33] : [33, 64]))
    const right = batch(1, 4, ...(adj_y ? [21, 64] : [64, 21]))
    const run = async () => {
      const tensors = memory().numTensors
      const model = await loadProduct(adj_x, adj_y)
      const output = model.predict({ left, right }) as Tensor
      const numbers = Array.from(await output.data())
      const { shape } = output
      output.dispose()
      model.dispose()
      assert.equal(memory().numTensors, tensors)
      return { shape, numbers }
    }
    const expected = await run()
    separateBatchedProducts()
    const found = await run()
    deregisterOp('BatchMatMul')
    assert.deepEqual(found.shape, [1, 4, 33, 21])
    assert.deepEqual(found.shape, expected.shape)
    for (const [n, number] of found.numbers.entries())
      assert.ok(Math.abs(number - (expected.numbers[n] ?? Number.NaN)) < 1e-5)
  }
})
