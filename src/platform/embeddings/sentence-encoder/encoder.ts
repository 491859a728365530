import type { Encode } from '../serve-texts.ts'
import { type ModelFiles, readModel } from './model-files.ts'
import { createTokenizer } from './tokenizer.ts'
import { createTransformer, type Weights } from './transformer.ts'

/** A text of no tokens cannot be encoded. */
const EMPTY_TEXT = '.'

/**
 * Loads Universal Sentence Encoder lite, whose vectors have 512 numbers, into this thread.
 * @param folder of the model; by default that of its package
 * @throws an error that says what to do if the package is missing or damaged
 */
export async function loadEncoder(folder?: string): Promise<Encode> {
  const model = await readModel(folder)
  const encode = createTransformer(weightsOf(model))
  const tokenize = createTokenizer(model.vocabulary)
  return async (text) => {
    const tokens = tokenize(text)
    return encode(tokens.length > 0 ? tokens : tokenize(EMPTY_TEXT))
  }
}

/** All take four bytes a number, one after another. Copies, so that those that are not needed later can be freed. */
function weightsOf({ weightSpecs, weights }: ModelFiles): Weights {
  const numbers = new Float32Array(new Uint8Array(weights).buffer)
  const ranges = new Map<string, [start: number, end: number]>()
  let start = 0
  for (const { name, shape } of weightSpecs) {
    const end = start + shape.reduce((product, length) => product * length, 1)
    ranges.set(name, [start, end])
    start = end
  }
  return (name) => {
    const [found, ...others] = [...ranges].filter(([one]) => one.endsWith(name))
    if (!found || others.length > 0)
      throw new Error(`The model does not have exactly one set of weights "${name}".`)
    return numbers.slice(...found[1])
  }
}
