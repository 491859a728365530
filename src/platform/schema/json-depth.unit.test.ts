import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeeperThan } from './json-depth.ts'

const nested = (levels: number) => JSON.parse(`${'[{"a":'.repeat(levels / 2)}1${'}]'.repeat(levels / 2)}`)

test('the depth of JSON is known without parsing it', () => {
  for (const value of [
    ...['text', '"', '\\', '\\"[[[[', '[[[["', '\\\\', 5, null, [], {}],
    { '[[[["\\': '{{{{' },
    [['\\"'], ['"\\\\'], { a: ['[', ']]]]', '}'] }],
  ]) {
    const text = JSON.stringify(value)
    assert.equal(isDeeperThan(3, text), false, text)
  }
  for (const levels of [2, 4, 20, 100]) {
    const text = JSON.stringify(nested(levels), null, 1)
    assert.equal(isDeeperThan(levels, text), false)
    assert.equal(isDeeperThan(levels - 1, text), true)
  }
  for (const malformed of ['', '"', '"\\', ']]]]', '{"a":"', '[["'])
    assert.equal(isDeeperThan(3, malformed), false, malformed)
})
