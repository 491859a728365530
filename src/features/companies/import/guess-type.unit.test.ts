import assert from 'node:assert/strict'
import { test } from 'node:test'
import { guessType } from './guess-type.ts'

test('codes with leading zeros and phone numbers with a plus sign are text, other digits numbers', () => {
  for (const [cells, type] of [
    [['-3', '5', '1,200', '2.5'], 'number'],
    [['0123', '4567'], 'text'],
    [['+4912345', '4912346'], 'text'],
    [['4912346', '+49 123 456'], 'text'],
  ] as const)
    assert.equal(guessType(cells), type, String(cells))
})
