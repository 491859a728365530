import { fillColumns, type Matrix, type MatrixProducts } from './matrix-products.ts'
import { softmaxRows } from './rows.ts'

const HEADS = 4

/** Writes what each row finds in the others into the target. Each row of `all` has a query, a key, and a value. */
export type Attend = (all: Matrix, target: Matrix, rows: number) => void

/**
 * Attention in four heads (Vaswani et al. 2017, arXiv:1706.03762, section 3.2).
 * @param length of a query, a key, and a value
 */
export function createAttention(products: MatrixProducts, length: number, maxRows: number): Attend {
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
