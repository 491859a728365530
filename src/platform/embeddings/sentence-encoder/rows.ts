import type { Matrix } from './matrix-products.ts'

/** What `normalizeRows` applies to each number of a row, by its place. */
export interface Norm {
  scale: Float32Array
  bias: Float32Array
}

const NORM_EPSILON = 1e-6

/** Turns the first `rows` numbers of each row into shares of 1. */
export function softmaxRows({ numbers, stride }: Matrix, scale: number, rows: number): void {
  for (let row = 0; row < rows; row++) {
    const scores = numbers.subarray(row * stride, row * stride + rows)
    let highest = Number.NEGATIVE_INFINITY
    for (let n = 0; n < rows; n++) highest = Math.max(highest, scores[n] as number)
    let sum = 0
    for (let n = 0; n < rows; n++) sum += scores[n] = Math.exp(scale * ((scores[n] as number) - highest))
    for (let n = 0; n < rows; n++) scores[n] = (scores[n] as number) / sum
  }
}

/** Gives each row the average 0 and the variance 1, then scales and shifts it (Ba et al. 2016, arXiv:1607.06450). */
export function normalizeRows(from: Matrix, { scale, bias }: Norm, to: Matrix, rows: number): void {
  const { length } = scale
  for (let row = 0; row < rows; row++) {
    const source = from.numbers.subarray(row * from.stride, row * from.stride + length)
    let sum = 0
    for (let n = 0; n < length; n++) sum += source[n] as number
    const average = sum / length
    let squares = 0
    for (let n = 0; n < length; n++) squares += ((source[n] as number) - average) ** 2
    const factor = 1 / Math.sqrt(squares / length + NORM_EPSILON)
    const start = row * to.stride
    for (let n = 0; n < length; n++)
      to.numbers[start + n] =
        ((source[n] as number) - average) * factor * (scale[n] as number) + (bias[n] as number)
  }
}

/** Adds a matrix to another, of the same stride. */
export function add(to: Matrix, from: Matrix, rows: number): void {
  for (let n = 0; n < rows * to.stride; n++) (to.numbers[n] as number) += from.numbers[n] as number
}

/** Replaces negative numbers by 0. */
export function rectify({ numbers, stride }: Matrix, rows: number): void {
  for (let n = 0; n < rows * stride; n++) numbers[n] = Math.max(0, numbers[n] as number)
}

/** Writes the average of the rows into the first row of another matrix. */
export function averageRows({ numbers, stride }: Matrix, to: Matrix, rows: number): void {
  for (let n = 0; n < stride; n++) {
    let sum = 0
    for (let row = 0; row < rows; row++) sum += numbers[row * stride + n] as number
    to.numbers[n] = sum / rows
  }
}
