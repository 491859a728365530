import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'

/** Where exporters put the model; the quantized one is preferred, because it is smaller and faster. */
const MODEL_FILES = ['onnx/model_quantized.onnx', 'onnx/model_int8.onnx', 'onnx/model.onnx', 'model.onnx']

/** A longer text takes time that grows with the square of its length. */
const MAX_TOKENS = 512

/** A sentence model in Hugging Face layout. */
export interface ModelFolder {
  model: Uint8Array
  tokenizer: object
  tokenizerConfig: object
  /** The most tokens of a text that the model reads. */
  maxTokens: number
  /** How the vectors of the tokens become the vector of the text. */
  pooling: 'mean' | 'first'
}

/**
 * Reads a sentence model.
 * @throws an error that names the missing or unreadable file
 */
export async function readModelFolder(folder: string): Promise<ModelFolder> {
  const file = MODEL_FILES.find((name) => existsSync(path.join(folder, name)))
  if (!file)
    throw new Error(
      `EMBEDDINGS_MODEL_PATH: ${folder} must have one of these files: ${MODEL_FILES.join(', ')}.`,
    )
  if (!existsSync(path.join(folder, 'tokenizer.json')))
    throw new Error(`EMBEDDINGS_MODEL_PATH: ${folder} must have the file tokenizer.json.`)
  const tokenizerConfig = await readJson<{ model_max_length?: number }>(folder, 'tokenizer_config.json')
  const sentences = await readJson<{ max_seq_length?: number }>(folder, 'sentence_bert_config.json')
  const pooling = await readJson<{ pooling_mode_cls_token?: boolean }>(folder, '1_Pooling/config.json')
  const maxTokens = sentences.max_seq_length ?? tokenizerConfig.model_max_length ?? MAX_TOKENS
  return {
    model: await readFile(path.join(folder, file)),
    tokenizer: await readJson(folder, 'tokenizer.json'),
    tokenizerConfig,
    maxTokens: Math.min(maxTokens, MAX_TOKENS),
    pooling: pooling.pooling_mode_cls_token ? 'first' : 'mean',
  }
}

/** An empty object if the file does not exist. */
async function readJson<T extends object>(folder: string, name: string): Promise<Partial<T>> {
  const file = path.join(folder, name)
  if (!existsSync(file)) return {}
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Partial<T>
  } catch (error) {
    throw new Error(`EMBEDDINGS_MODEL_PATH: ${file} is not valid JSON.`, { cause: error })
  }
}
