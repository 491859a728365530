import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#src/platform/ids.ts'
import { SortedIds } from './sorted-ids.ts'

const ids = Array.from({ length: 5000 }, () => newId('cmp')).sort()
const isEven = (_id: string, index: number) => index % 2 === 0
const even = ids.filter(isEven)
const odd = ids.filter((id, index) => !isEven(id, index))

test('adds and removes ids in any order', () => {
  const set = SortedIds.parse(even.join(''))
  assert.deepEqual(set.slice(0, set.size), even)
  const full = set.with(odd.toReversed(), [])
  assert.equal(full.size, ids.length)
  assert.deepEqual(full.slice(0, ids.length), ids)
  assert.deepEqual(full.with([], even).slice(0, ids.length), odd)
  assert.deepEqual(full.slice(1490, 1600), ids.slice(1490, 1600))
  assert.deepEqual(set.slice(0, set.size), even, 'the original set is unchanged')
})

test('grows from nothing and shrinks to nothing', () => {
  const set = SortedIds.parse('').with(ids, [])
  assert.deepEqual(set.slice(0, ids.length), ids)
  const empty = set.with([], ids)
  assert.equal(empty.size, 0)
  assert.deepEqual(empty.slice(0, 10), [])
  assert.deepEqual(empty.with(['cmp_01jw3f8x5zfq2v5n6k7m8p9r0s'], []).size, 1)
})

test('is the same set after changes that it already contains', () => {
  const set = SortedIds.parse(even.join(''))
  assert.equal(set.with(even.slice(0, 10), odd.slice(0, 10)), set)
})
