import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freePosition } from '#web/shell/free-position.ts'

const screen = { width: 1000, height: 600 }
const notice = { width: 300, height: 60 }
const inCorner = { left: 950, top: 560, right: 990, bottom: 590 }

test('a notice is in the bottom right corner unless it would cover a control', () => {
  assert.deepEqual(freePosition(screen, notice, []), { right: 12, bottom: 12, covered: 0 })
  assert.deepEqual(freePosition(screen, notice, [inCorner]), { right: 12, bottom: 44, covered: 0 })
})

test('a notice takes the nearest gap, or covers as little of a control as it can', () => {
  const rows = Array.from({ length: 14 }, (_value, n) => ({
    left: 250,
    top: n * 40,
    right: 1000,
    bottom: n * 40 + 36,
  }))
  const narrow = { width: 200, height: 60 }
  assert.deepEqual(freePosition(screen, narrow, rows), { right: 756, bottom: 12, covered: 0 })
  const position = freePosition(screen, { width: 260, height: 60 }, rows)
  // The rows leave 250 pixels, of which 12 are the margin.
  assert.deepEqual(
    { ...position, covered: position.covered < 0.05 },
    { right: 724, bottom: 12, covered: true },
  )
})
