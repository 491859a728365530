import { createAttention } from './attention.ts'
import { type Columns, fillColumns, type Matrix, matrixProducts } from './matrix-products.ts'
import { add, addToRows, averageRows, type Norm, normalizeRows, rectify } from './rows.ts'

/** Weights by the end of their name in the published model. */
export type Weights = (name: string) => Float32Array

/** What follows is left out, as in the published model. */
const MAX_TOKENS = 128
/** The lengths of vectors: of tokens, between layers, and within the network of a layer. */
const [TOKEN_LENGTH, LENGTH, WIDE_LENGTH] = [256, 512, 1536]
/** Enough for all weights but those of tokens, and for the matrices between them. */
const CAPACITY = 6_000_000

/** A matrix of weights, and what is added to each row of a product with it. */
interface Dense {
  columns: Columns
  bias: Float32Array
}

/**
 * The network of Universal Sentence Encoder lite (Cer et al. 2018, arXiv:1803.11175): two layers of a transformer over the
 * tokens, their average, and one layer more. It gives the numbers of the published graph.
 * @returns makes the vector, of length 1, of a text of at least one token
 */
export function createTransformer(weights: Weights): (tokens: readonly number[]) => number[] {
  const products = matrixProducts(CAPACITY)
  const dense = (matrix: string, bias: string, inner: number, count: number): Dense => {
    const numbers = weights(matrix)
    const columns = products.columns(inner, count)
    fillColumns(columns, count, (row, column) => numbers[row * count + column] as number)
    return { columns, bias: weights(bias) }
  }
  const apply = (from: Matrix, { columns, bias }: Dense, to: Matrix, rows: number) => {
    products.multiply(from, columns, to, rows)
    addToRows(to, bias, rows)
  }
  const normalized = products.matrix(MAX_TOKENS, LENGTH)
  const added = products.matrix(MAX_TOKENS, LENGTH)
  const wide = products.matrix(MAX_TOKENS, WIDE_LENGTH)

  /** One layer: adds to the sum what attention to, and a network on, the former vectors find. */
  const layer = (index: number, length: number) => {
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
    const attentionNorm = norm('layer_prepostprocess/layer_norm')
    const queriesKeysValues = projection('qkv', 3 * length)
    const attend = createAttention(products, length, MAX_TOKENS)
    const output = projection('output', LENGTH)
    const networkNorm = norm('FFN/layer_prepostprocess/layer_norm')
    const widen = network('conv1', LENGTH, WIDE_LENGTH)
    const narrow = network('conv2', WIDE_LENGTH, LENGTH)
    return (vectors: Matrix, sum: Matrix, rows: number): void => {
      normalizeRows(vectors, attentionNorm, normalized, rows)
      apply(normalized, queriesKeysValues, wide, rows)
      attend(wide, normalized, rows)
      apply(normalized, output, added, rows)
      add(sum, added, rows)
      normalizeRows(sum, networkNorm, normalized, rows)
      apply(normalized, widen, wide, rows)
      rectify(wide, rows)
      apply(wide, narrow, added, rows)
      add(sum, added, rows)
    }
  }

  const embedTokens = tokenEmbedding(weights)
  const adjustment = 'Layer_0/TransformerLayer/dense'
  const adjust = dense(
    `${adjustment}/kernel/ConcatPartitions/concat`,
    `${adjustment}/bias/ConcatPartitions/concat`,
    TOKEN_LENGTH,
    LENGTH,
  )
  const [firstLayer, secondLayer] = [layer(0, TOKEN_LENGTH), layer(1, LENGTH)]
  const last = dense('tanh_layer_0/weights', 'tanh_layer_0/bias', LENGTH, LENGTH)
  const embedded = products.matrix(MAX_TOKENS, TOKEN_LENGTH)
  const sum = products.matrix(MAX_TOKENS, LENGTH)
  const average = products.matrix(1, LENGTH)
  const result = products.matrix(1, LENGTH)

  return (tokens) => {
    const rows = Math.min(tokens.length, MAX_TOKENS)
    embedTokens(tokens, embedded, rows)
    apply(embedded, adjust, sum, rows)
    firstLayer(embedded, sum, rows)
    secondLayer(sum, sum, rows)
    averageRows(sum, average, rows)
    apply(average, last, result, 1)
    return unitVector(result.numbers.subarray(0, LENGTH).map(Math.tanh))
  }
}

/** Twice the vectors of tokens, as in the published model, and a signal of their positions. */
function tokenEmbedding(weights: Weights) {
  const vectors = weights('module/Embeddings_en')
  const frequencies = weights('AddTimingSignal/TimingSignal/ExpandDims_1')
  return (tokens: readonly number[], { numbers }: Matrix, rows: number): void => {
    for (let row = 0; row < rows; row++) {
      const from = (tokens[row] as number) * TOKEN_LENGTH
      const to = row * TOKEN_LENGTH
      for (let n = 0; n < TOKEN_LENGTH; n++) numbers[to + n] = 2 * (vectors[from + n] as number)
      for (const [n, frequency] of frequencies.entries()) {
        ;(numbers[to + n] as number) += Math.sin(row * frequency)
        ;(numbers[to + frequencies.length + n] as number) += Math.cos(row * frequency)
      }
    }
  }
}

function unitVector(numbers: Float32Array): number[] {
  const length = Math.hypot(...numbers)
  return Array.from(numbers, (one) => one / length)
}
