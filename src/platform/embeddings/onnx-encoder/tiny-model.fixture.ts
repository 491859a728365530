import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** Words of one list have the same vector. */
const MEANINGS = [
  ['car', 'automobile'],
  ['milk', 'dairy'],
  ['nurse', 'doctor'],
]
const SPECIAL = ['[PAD]', '[UNK]', '[CLS]', '[SEP]']

/** Writes a sentence model in Hugging Face layout, with a word's meaning as its vector. */
export async function writeTinyModel(folder: string): Promise<void> {
  await mkdir(path.join(folder, 'onnx'), { recursive: true })
  const words = MEANINGS.flat()
  const vectors = [
    ...SPECIAL.map(() => MEANINGS.map(() => 0.001)),
    ...words.map((word) => MEANINGS.map((meaning) => (meaning.includes(word) ? 1 : 0))),
  ]
  await writeFile(path.join(folder, 'onnx/model.onnx'), embeddingLookup(vectors))
  const vocab = Object.fromEntries([...SPECIAL, ...words].map((word, id) => [word, id]))
  const tokenizer = {
    version: '1.0',
    added_tokens: SPECIAL.map((content, id) => ({ id, content, special: true, normalized: false })),
    normalizer: { type: 'BertNormalizer', clean_text: true, lowercase: true },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    post_processor: {
      type: 'TemplateProcessing',
      single: [
        { SpecialToken: { id: '[CLS]', type_id: 0 } },
        { Sequence: { id: 'A', type_id: 0 } },
        { SpecialToken: { id: '[SEP]', type_id: 0 } },
      ],
      special_tokens: {
        '[CLS]': { id: '[CLS]', ids: [2], tokens: ['[CLS]'] },
        '[SEP]': { id: '[SEP]', ids: [3], tokens: ['[SEP]'] },
      },
    },
    model: { type: 'WordPiece', unk_token: '[UNK]', continuing_subword_prefix: '##', vocab },
  }
  await writeFile(path.join(folder, 'tokenizer.json'), JSON.stringify(tokenizer))
  await writeFile(path.join(folder, 'tokenizer_config.json'), JSON.stringify({ model_max_length: 8 }))
}

/** An ONNX model (onnx.proto, IR version 8) that looks up the vector of each token. */
function embeddingLookup(vectors: number[][]): Buffer {
  const [FLOAT, INT64] = [1, 7]
  const tokens = [field(2, 'batch'), field(2, 'tokens')]
  const shaped = (name: string, type: number, dimensions: Buffer[]) => {
    const shape = Buffer.concat(dimensions.map((dimension) => field(1, dimension)))
    const tensor = Buffer.concat([field(1, type), field(2, shape)])
    return Buffer.concat([field(1, name), field(2, field(1, tensor))])
  }
  const [rows, length] = [vectors.length, vectors[0]?.length ?? 0]
  const weights = [
    ...[field(1, rows), field(1, length), field(2, FLOAT), field(8, 'vectors')],
    field(9, Buffer.from(Float32Array.from(vectors.flat()).buffer)),
  ]
  const lookup = [
    ...[field(1, 'vectors'), field(1, 'input_ids')],
    ...[field(2, 'last_hidden_state'), field(4, 'Gather')],
  ]
  const graph = [
    ...[field(1, Buffer.concat(lookup)), field(2, 'lookup'), field(5, Buffer.concat(weights))],
    field(11, shaped('input_ids', INT64, tokens)),
    field(11, shaped('attention_mask', INT64, tokens)),
    field(12, shaped('last_hidden_state', FLOAT, [...tokens, field(1, length)])),
  ]
  return Buffer.concat([field(1, 8), field(7, Buffer.concat(graph)), field(8, field(2, 13))])
}

/** A field of a Protocol Buffers message: a number as a varint, or bytes with their length. */
function field(number: number, value: number | string | Buffer): Buffer {
  if (typeof value === 'number') return Buffer.concat([varint(number << 3), varint(value)])
  const bytes = Buffer.from(value as string)
  return Buffer.concat([varint((number << 3) | 2), varint(bytes.length), bytes])
}

const varint = (value: number): Buffer =>
  value < 0x80 ? Buffer.of(value) : Buffer.concat([Buffer.of((value & 0x7f) | 0x80), varint(value >>> 7)])
