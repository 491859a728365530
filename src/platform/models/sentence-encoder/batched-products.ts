import { registerOp } from '@tensorflow/tfjs-converter'
import {
  matMul,
  reshape,
  stack,
  type Tensor,
  type Tensor2D,
  tidy,
  transpose,
  unstack,
} from '@tensorflow/tfjs-core'

const BATCHED_PRODUCT = 'BatchMatMul'

/**
 * Makes models that are loaded from now on multiply batches of matrices one by one. The WebAssembly backend is fast at one
 * product, and so slow at a batch that the attention took a quarter of the time of a text.
 */
export function separateBatchedProducts(): void {
  registerOp(BATCHED_PRODUCT, ({ inputs, attrs }) => {
    const [left, right] = inputs as [Tensor, Tensor]
    return tidy(() => {
      const rights = matricesOf(right, Boolean(attrs.adj_y))
      const lefts = matricesOf(left, Boolean(attrs.adj_x))
      if (lefts.length !== rights.length)
        throw new Error(`Batches of ${lefts.length} and ${rights.length} matrices cannot be multiplied.`)
      const products = lefts.map((matrix, n) => matMul(matrix, rights[n] as Tensor2D))
      const { shape } = products[0] as Tensor2D
      return reshape(stack(products), [...left.shape.slice(0, -2), ...shape])
    })
  })
}

/** The matrices of a batch, each transposed if asked. */
function matricesOf(batch: Tensor, isTransposed: boolean): Tensor2D[] {
  const flat = reshape(batch, [-1, ...batch.shape.slice(-2)])
  return unstack(isTransposed ? transpose(flat, [0, 2, 1]) : flat) as Tensor2D[]
}
