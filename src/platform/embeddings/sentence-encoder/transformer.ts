import { unitVector } from '../unit-vector.ts'
import {
  type Columns,
  fillColumns,
  type Matrix,
  type MatrixProducts,
  matrixProducts,
} from './matrix-products.ts'
import { add, averageRows, type Norm, normalizeRows, rectify, softmaxRows } from './rows.ts'

/** Weights by the end of their name in the published model. */
export type Weights = (name: string) => Float32Array

/** What follows is left out, as in the published model. */
const MAX_TOKENS = 128
/** The lengths of vectors: of tokens, between layers, and within the network of a layer. */
const [TOKEN_LENGTH, LENGTH, WIDE_LENGTH] = [256, 512, 1536]
/** For all weights but those of tokens, and for the matrices between them: 5.4 million are used. */
const CAPACITY = 6_000_000

interface Layer {
  attentionNorm: Norm
  queriesKeysValues: Columns
  attend: Attend
  output: Columns
  networkNorm: Norm
  widen: Columns
  narrow: Columns
}

interface Parts {
  embedTokens: (tokens: readonly number[], target: Matrix, rows: number) => void
  adjust: Columns
  first: Layer
  second: Layer
  last: Columns
}

/**
 * The network of Universal Sentence Encoder lite (Cer et al. 2018, arXiv:1803.11175): two layers of a transformer over the
 * tokens, their average, and one layer more. It gives the numbers of the published graph.
 * @returns makes the vector, of length 1, of a text of at least one token
 */
export function createTransformer(weights: Weights): (tokens: readonly number[]) => number[] {
  const products = matrixProducts(CAPACITY)
  return encoderOf(products, readParts(products, weights))
}

function readParts(products: MatrixProducts, weights: Weights): Parts {
  const dense = (matrix: string, bias: string, inner: number, count: number): Columns => {
    const numbers = weights(matrix)
    const columns = products.columns(inner, count)
    fillColumns(columns, count, (row, column) => numbers[row * count + column] as number)
    columns.bias.set(weights(bias))
    return columns
  }
  const layer = (index: number, length: number): Layer => {
    const path = `Layer_${index}/TransformerLayer`
    const bias = (name: string) => `${path}/${name}/bias/ConcatPartitions/concat`
    const norm = (name: string): Norm => ({
      scale: weights(`${path}/${name}/layer_norm_scale/ConcatPartitions/concat`),
      bias: weights(`${path}/${name}/layer_norm_bias/ConcatPartitions/concat`),
    })
    const projection = (name: string, count: number) => {
      const part = `MultiheadAttention/${name}_transform_single`
      return dense(`${path}/${part}/kernel/part_0`, bias(part), length, count)
    }
    const network = (name: string, inner: number, count: number) =>
      dense(`${path}/FFN/${name}/Tensordot/Reshape_1`, bias(`FFN/${name}`), inner, count)
    return {
      attentionNorm: norm('layer_prepostprocess/layer_norm'),
      queriesKeysValues: projection('qkv', 3 * length),
      attend: createAttention(products, length, MAX_TOKENS),
      output: projection('output', LENGTH),
      networkNorm: norm('FFN/layer_prepostprocess/layer_norm'),
      widen: network('conv1', LENGTH, WIDE_LENGTH),
      narrow: network('conv2', WIDE_LENGTH, LENGTH),
    }
  }
  const adjustment = (part: string) => `Layer_0/TransformerLayer/dense/${part}/ConcatPartitions/concat`
  return {
    embedTokens: tokenEmbedding(
      weights('module/Embeddings_en'),
      weights('AddTimingSignal/TimingSignal/ExpandDims_1'),
    ),
    adjust: dense(adjustment('kernel'), adjustment('bias'), TOKEN_LENGTH, LENGTH),
    first: layer(0, TOKEN_LENGTH),
    second: layer(1, LENGTH),
    last: dense('tanh_layer_0/weights', 'tanh_layer_0/bias', LENGTH, LENGTH),
  }
}

/** A function of its own, so that what it returns does not keep all weights in memory. */
function encoderOf(products: MatrixProducts, { embedTokens, adjust, first, second, last }: Parts) {
  const embedded = products.matrix(MAX_TOKENS, TOKEN_LENGTH)
  const sum = products.matrix(MAX_TOKENS, LENGTH)
  const normalized = products.matrix(MAX_TOKENS, LENGTH)
  const added = products.matrix(MAX_TOKENS, LENGTH)
  const wide = products.matrix(MAX_TOKENS, WIDE_LENGTH)
  const average = products.matrix(1, LENGTH)
  const result = products.matrix(1, LENGTH)

  /** Adds to the sum what a layer makes of vectors. */
  const addLayer = (layer: Layer, vectors: Matrix, rows: number) => {
    normalizeRows(vectors, layer.attentionNorm, normalized, rows)
    products.multiply(normalized, layer.queriesKeysValues, wide, rows)
    layer.attend(wide, normalized, rows)
    products.multiply(normalized, layer.output, added, rows)
    add(sum, added, rows)
    normalizeRows(sum, layer.networkNorm, normalized, rows)
    products.multiply(normalized, layer.widen, wide, rows)
    rectify(wide, rows)
    products.multiply(wide, layer.narrow, added, rows)
    add(sum, added, rows)
  }
  return (tokens: readonly number[]): number[] => {
    const rows = Math.min(tokens.length, MAX_TOKENS)
    embedTokens(tokens, embedded, rows)
    products.multiply(embedded, adjust, sum, rows)
    addLayer(first, embedded, rows)
    addLayer(second, sum, rows)
    averageRows(sum, average, rows)
    products.multiply(average, last, result, 1)
    return unitVector(result.numbers.subarray(0, LENGTH).map(Math.tanh))
  }
}

/** Twice the vectors of tokens, as in the published model, and a signal of their positions. */
function tokenEmbedding(vectors: Float32Array, frequencies: Float32Array): Parts['embedTokens'] {
  return (tokens, { numbers, stride }, rows) => {
    for (let row = 0; row < rows; row++) {
      const from = (tokens[row] as number) * TOKEN_LENGTH
      const to = row * stride
      for (let n = 0; n < TOKEN_LENGTH; n++) numbers[to + n] = 2 * (vectors[from + n] as number)
      for (const [n, frequency] of frequencies.entries()) {
        ;(numbers[to + n] as number) += Math.sin(row * frequency)
        ;(numbers[to + frequencies.length + n] as number) += Math.cos(row * frequency)
      }
    }
  }
}

const HEADS = 4

/** Writes what each row finds in the others into the target. Each row of `all` has a query, a key, and a value. */
type Attend = (all: Matrix, target: Matrix, rows: number) => void

/**
 * Attention in four heads (Vaswani et al. 2017, arXiv:1706.03762, section 3.2).
 * @param length of a query, a key, and a value
 */
function createAttention(products: MatrixProducts, length: number, maxRows: number): Attend {
  const depth = length / HEADS
  const keys = products.columns(depth, maxRows)
  const values = products.columns(maxRows, depth)
  const shares = products.matrix(maxRows, maxRows)
  return ({ numbers, stride }, target, rows) => {
    const keysOfRows = products.part(keys, depth, rows)
    const valuesOfRows = products.part(values, rows, depth)
    for (let head = 0; head < HEADS; head++) {
      const first = head * depth
      const key = length + first
      const value = 2 * length + first
      fillColumns(keysOfRows, rows, (n, row) => numbers[row * stride + key + n] as number)
      fillColumns(valuesOfRows, depth, (row, n) => numbers[row * stride + value + n] as number)
      products.multiply({ numbers: numbers.subarray(first), stride }, keysOfRows, shares, rows)
      softmaxRows(shares, 1 / Math.sqrt(depth), rows)
      const ofHead = { numbers: target.numbers.subarray(first), stride: target.stride }
      products.multiply(shares, valuesOfRows, ofHead, rows)
    }
  }
}
