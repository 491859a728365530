import { compileMultiplyRows, TILE_COLUMNS, TILE_ROWS } from './tile-module.ts'

const PAGE_BYTES = 65_536
const NUMBER_BYTES = Float32Array.BYTES_PER_ELEMENT

/**
 * Rows of numbers, each `stride` numbers after the one before, in the memory of `matrixProducts`. Strides are not powers of
 * two: rows would share few places of the processor's cache.
 */
export interface Matrix {
  numbers: Float32Array
  stride: number
}

/** The right side of products, stored as tiles need it. */
export interface Columns {
  numbers: Float32Array
  /** How many numbers a column has. */
  inner: number
  /** A multiple of the columns of a tile. */
  count: number
  /** What is added to each row of a product. */
  bias: Float32Array
}

export interface MatrixProducts {
  /** A matrix of zeros. Products write whole tiles, so it has up to four rows and seven columns more. */
  matrix(rows: number, columns: number): Matrix
  /** Room for the columns of a matrix. */
  columns(inner: number, count: number): Columns
  /** The beginning of the room of columns, as smaller columns. */
  part(of: Columns, inner: number, count: number): Columns
  /** Writes `rows` rows of a product into the target. What follows them, up to a whole tile, has no meaning then. */
  multiply(left: Matrix, right: Columns, target: Matrix, rows: number): void
}

const roundUp = (value: number, unit: number): number => Math.ceil(value / unit) * unit

/**
 * Products of matrices of 32-bit numbers in WebAssembly, in one thread (docs/adr/0030).
 * @param capacity how many numbers fit into all matrices
 * @throws RangeError when more are requested
 */
export function matrixProducts(capacity: number): MatrixProducts {
  const memory = new WebAssembly.Memory({ initial: Math.ceil((capacity * NUMBER_BYTES) / PAGE_BYTES) })
  const multiplyRows = compileMultiplyRows(memory)
  let used = 0
  const reserve = (length: number): Float32Array => {
    const numbers = new Float32Array(memory.buffer, used * NUMBER_BYTES, length)
    used += length
    return numbers
  }
  return {
    matrix: (rows, columns) => {
      const stride = roundUp(columns, TILE_COLUMNS) + TILE_COLUMNS
      return { numbers: reserve(roundUp(rows, TILE_ROWS) * stride), stride }
    },
    columns: (inner, columns) => {
      const count = roundUp(columns, TILE_COLUMNS)
      return { numbers: reserve(inner * count), inner, count, bias: reserve(count) }
    },
    part: (of, inner, count) => ({ ...of, inner, count: roundUp(count, TILE_COLUMNS) }),
    multiply: (left, right, target, rows) => {
      const [leftStride, targetStride] = [left.stride * NUMBER_BYTES, target.stride * NUMBER_BYTES]
      for (let column = 0; column < right.count; column += TILE_COLUMNS)
        multiplyRows(
          left.numbers.byteOffset,
          leftStride,
          right.numbers.byteOffset + column * right.inner * NUMBER_BYTES,
          right.inner,
          target.numbers.byteOffset + column * NUMBER_BYTES,
          targetStride,
          Math.ceil(rows / TILE_ROWS),
          right.bias.byteOffset + column * NUMBER_BYTES,
        )
    },
  }
}

/**
 * Fills columns from the rows of a matrix.
 * @param at the number of a matrix at a row and a column
 */
export function fillColumns(
  { numbers, inner }: Columns,
  count: number,
  at: (row: number, column: number) => number,
): void {
  for (let column = 0; column < count; column++) {
    const start = (column - (column % TILE_COLUMNS)) * inner + (column % TILE_COLUMNS)
    for (let row = 0; row < inner; row++) numbers[start + row * TILE_COLUMNS] = at(row, column)
  }
}
