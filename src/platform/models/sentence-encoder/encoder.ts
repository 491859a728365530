import { type GraphModel, loadGraphModel } from '@tensorflow/tfjs-converter'
import '@tensorflow/tfjs-backend-wasm'
import { env, type io, ready, setBackend, type Tensor, tensor1d, tensor2d } from '@tensorflow/tfjs-core'
import type { Encode } from '#src/platform/models/answer-texts.ts'
import { separateBatchedProducts } from './batched-products.ts'
import { readModel } from './model-files.ts'
import { createTokenizer } from './tokenizer.ts'

/** A text of no tokens cannot be encoded. */
const EMPTY_TEXT = '.'

/**
 * Loads Universal Sentence Encoder lite, whose vectors have 512 numbers, into this thread. It needs about 290 MB.
 * @param folder of the model; by default that of its package
 * @throws an error that says what to do if the package is missing or damaged
 */
export async function loadEncoder(folder?: string): Promise<Encode> {
  const { topology, weightSpecs, weights, vocabulary } = await readModel(folder)
  env().set('WASM_HAS_MULTITHREAD_SUPPORT', false)
  await setBackend('wasm')
  await ready()
  const weightData = weights.buffer.slice(weights.byteOffset, weights.byteOffset + weights.length)
  const artifacts = { modelTopology: topology, weightSpecs, weightData } as io.ModelArtifacts
  separateBatchedProducts()
  const model = await loadGraphModel({ load: async () => artifacts })
  const tokenize = createTokenizer(vocabulary)
  return (text) => {
    const tokens = tokenize(text)
    return run(model, tokens.length > 0 ? tokens : tokenize(EMPTY_TEXT))
  }
}

async function run(model: GraphModel, tokens: number[]): Promise<number[]> {
  const indices = tensor2d(
    tokens.map((_token, place) => [0, place]),
    [tokens.length, 2],
    'int32',
  )
  const values = tensor1d(tokens, 'int32')
  const output = (await model.executeAsync({ indices, values })) as Tensor
  try {
    return Array.from(await output.data())
  } finally {
    for (const tensor of [indices, values, output]) tensor.dispose()
  }
}
