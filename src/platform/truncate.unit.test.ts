import assert from 'node:assert/strict'
import { test } from 'node:test'
import { truncate } from './truncate.ts'

test('a long text ends in an ellipsis, within the length', () => {
  for (const [text, length, truncated] of [
    ['Aspen Robotics', 14, 'Aspen Robotics'],
    ['Aspen Robotics', 13, 'Aspen Roboti…'],
    ['', 5, ''],
    ['x'.repeat(1000), 3, 'xx…'],
  ] as const)
    assert.equal(truncate(text, length), truncated)
})

test('characters of several code units stay whole', () => {
  assert.equal(truncate('ab😀cd', 4), 'ab…')
  assert.equal(truncate('ab😀cd', 5), 'ab😀…')
  assert.equal(truncate('e\u0301e\u0301e\u0301', 4), 'e\u0301…')
  assert.equal(truncate('a👩‍👩‍👧‍👦bc', 12), 'a…')
})

test('the result has no lone surrogates', () => {
  assert.equal(truncate('\ud83d', 5), '\ufffd')
  assert.ok(truncate(`😀${'\u0301'.repeat(200)}`, 2).isWellFormed())
})
