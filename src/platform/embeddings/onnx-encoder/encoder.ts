import type { InferenceSession, Tensor } from 'onnxruntime-web'
import type { Encode } from '../serve-texts.ts'
import { readModelFolder } from './model-folder.ts'

type Runtime = typeof import('onnxruntime-web')

/** The output of models that pool the vectors of the tokens themselves. */
const POOLED_OUTPUT = 'sentence_embedding'

/**
 * Loads a sentence model in ONNX format into this thread.
 * @param folder in Hugging Face layout
 * @throws an error that says what to do if a file or a package is missing, or the model cannot be used
 */
export async function loadOnnxEncoder(folder: string): Promise<Encode> {
  const { model, tokenizer, tokenizerConfig, maxTokens, pooling } = await readModelFolder(folder)
  const runtime = await installed(() => import('onnxruntime-web'))
  const { Tokenizer } = await installed(() => import('@huggingface/tokenizers'))
  runtime.env.wasm.numThreads = 1
  try {
    const session = await runtime.InferenceSession.create(model, { executionProviders: ['wasm'] })
    const tokens = new Tokenizer(tokenizer, tokenizerConfig)
    const encode: Encode = async (text) => {
      const ids = shortened(tokens.encode(text).ids, maxTokens)
      const outputs = await session.run(inputsOf(runtime, session, ids))
      return normalized(pooled(outputs, session.outputNames, pooling))
    }
    // A model that does not fit fails here, once, and not for each text.
    await encode('A text.')
    return encode
  } catch (error) {
    throw new Error(
      `EMBEDDINGS_MODEL_PATH: the model in ${folder} cannot be loaded (${(error as Error).message}).`,
      { cause: error },
    )
  }
}

/** The packages are optional, because most services do not need them. */
async function installed<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    throw new Error(
      'EMBEDDINGS=local needs the packages onnxruntime-web and @huggingface/tokenizers. ' +
        'See docs/search.md.',
      { cause: error },
    )
  }
}

/** Cuts off the end of a text, but keeps the last token, which marks the end. */
const shortened = (ids: number[], maxTokens: number): number[] =>
  ids.length > maxTokens ? [...ids.slice(0, maxTokens - 1), ids.at(-1) as number] : ids

function inputsOf({ Tensor }: Runtime, { inputNames }: InferenceSession, ids: number[]) {
  const values: Record<string, number[]> = {
    input_ids: ids,
    attention_mask: ids.map(() => 1),
    token_type_ids: ids.map(() => 0),
    position_ids: ids.map((_id, position) => position),
  }
  return Object.fromEntries(
    inputNames.map((name) => {
      const numbers = values[name]
      if (!numbers) throw new Error(`the model has an unknown input, ${name}`)
      return [name, new Tensor('int64', BigInt64Array.from(numbers, BigInt), [1, ids.length])]
    }),
  )
}

/** The vector of the text: as the model returns it, or from the vectors of its tokens. */
function pooled(
  outputs: Record<string, Tensor>,
  names: readonly string[],
  pooling: 'mean' | 'first',
): number[] {
  const name = names.includes(POOLED_OUTPUT) ? POOLED_OUTPUT : (names[0] ?? '')
  const output = outputs[name] as Tensor
  const numbers = Array.from(output.data as Float32Array, Number)
  const length = output.dims.at(-1) ?? 0
  if (output.dims.length === 2 || pooling === 'first') return numbers.slice(0, length)
  const sums = new Array<number>(length).fill(0)
  for (const [position, number] of numbers.entries())
    sums[position % length] = (sums[position % length] ?? 0) + number
  return sums
}

/** With the length 1, so that the sum of vectors is as good as their mean. */
function normalized(vector: number[]): number[] {
  const length = Math.hypot(...vector)
  if (!(length > 0 && Number.isFinite(length))) throw new Error('its vector has no direction')
  return vector.map((number) => number / length)
}
