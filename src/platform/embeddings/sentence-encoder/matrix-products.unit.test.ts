import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillColumns, matrixProducts } from './matrix-products.ts'

test('products are those of the definition', () => {
  const products = matrixProducts(100_000)
  for (const [rows, inner, count] of [
    [1, 1, 1],
    [5, 8, 8],
    [6, 3, 17],
    [128, 64, 100],
  ] as const) {
    const left = products.matrix(rows, inner)
    const right = products.columns(inner, count)
    const target = products.matrix(rows, count)
    const leftAt = (row: number, n: number) => Math.sin(row * 31 + n)
    const rightAt = (n: number, column: number) => Math.cos(n * 17 + column)
    for (let row = 0; row < rows; row++)
      for (let n = 0; n < inner; n++) left.numbers[row * left.stride + n] = leftAt(row, n)
    fillColumns(right, count, rightAt)
    right.bias.fill(1)
    products.multiply(left, right, target, rows)
    for (let row = 0; row < rows; row++)
      for (let column = 0; column < count; column++) {
        let expected = 1
        for (let n = 0; n < inner; n++) expected += leftAt(row, n) * rightAt(n, column)
        const found = target.numbers[row * target.stride + column] as number
        assert.ok(Math.abs(found - expected) < 1e-4, `${rows}×${inner}×${count}, ${row}, ${column}: ${found}`)
      }
  }
})

test('smaller columns use the room of larger ones', () => {
  const products = matrixProducts(1000)
  const room = products.columns(8, 16)
  const left = products.matrix(1, 2)
  const target = products.matrix(1, 9)
  left.numbers.set([2, 3])
  const columns = products.part(room, 2, 9)
  fillColumns(columns, 9, (n, column) => n + column)
  products.multiply(left, columns, target, 1)
  assert.deepEqual([...target.numbers.subarray(0, 9)], [3, 8, 13, 18, 23, 28, 33, 38, 43])
})

test('what does not fit is refused', () => {
  assert.throws(() => matrixProducts(100_000).matrix(1000, 1000), RangeError)
})
