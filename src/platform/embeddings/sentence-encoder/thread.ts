import os from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import type { FromThread, ThreadData, ToThread } from '../builtin-embedder.ts'
import { type ModelFiles, readModel } from './model-files.ts'
import { createTokenizer } from './tokenizer.ts'
import { createTransformer, type Weights } from './transformer.ts'

/** On Linux, this changes the calling thread alone. So requests come before background work. */
const NICENESS = 5
/** A text of no tokens cannot be encoded. */
const EMPTY_TEXT = '.'

if (process.platform === 'linux') os.setPriority(NICENESS)
await serve((workerData as ThreadData).folder).catch(({ message }: Error) => send({ fault: message }))

/** Loads the model, and answers each text with its vector. */
async function serve(folder: string | undefined): Promise<void> {
  const model = await readModel(folder)
  const encode = createTransformer(weightsOf(model))
  const tokenize = createTokenizer(model.vocabulary)
  parentPort?.on('message', (text: ToThread) => {
    try {
      const tokens = tokenize(text)
      send({ vector: encode(tokens.length > 0 ? tokens : tokenize(EMPTY_TEXT)) })
    } catch (error) {
      send({ reason: `The embedding model failed on the text (${(error as Error).message}).` })
    }
  })
}

function send(message: FromThread): void {
  parentPort?.postMessage(message)
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
