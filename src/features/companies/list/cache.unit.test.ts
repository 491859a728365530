import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VersionedCache } from './cache.ts'

const result = (version: number) => ({ version })

test('concurrent callers share a computation, and one that needs a newer result computes its own', async () => {
  const cache = new VersionedCache<{ version: number }>(1000, () => 10)
  let computed = 0
  const compute = (version: number) => async () => {
    computed += 1
    return result(version)
  }
  const found = await Promise.all([
    cache.get('list', 1, compute(1)),
    cache.get('list', 1, compute(1)),
    cache.get('list', 2, compute(2)),
  ])
  assert.deepEqual(found, [result(1), result(1), result(2)])
  assert.equal(computed, 2)
})

test('a computation that fails for one caller fails no other', async () => {
  const cache = new VersionedCache<{ version: number }>(1000, () => 10)
  const canceled = cache.get('list', 1, async () => {
    throw new Error('canceled')
  })
  const other = cache.get('list', 1, async () => result(1))
  await assert.rejects(canceled, /canceled/)
  assert.deepEqual(await other, result(1))
})

test('an older result does not replace a newer one', () => {
  const cache = new VersionedCache<{ version: number }>(1000, () => 10)
  cache.set('list', result(2))
  cache.set('list', result(1))
  assert.deepEqual(cache.peek('list'), result(2))
})
