import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Unavailable } from '#src/platform/errors.ts'
import { FreeSpace } from './free-space.ts'

const MB = 1024 * 1024
const LIMITS = { minBytes: 64 * MB, minPercent: 2 }

function disk(totalMb: number, freeMb: number) {
  const state = { freeMb, time: 0, calls: 0 }
  const statfs = () => {
    state.calls += 1
    return { bsize: MB, blocks: totalMb, bavail: state.freeMb }
  }
  const freeSpace = new FreeSpace('the database', '/data', { limits: LIMITS, statfs, now: () => state.time })
  return { state, freeSpace }
}

test('a small disk needs 64 MB, a large one 2 percent', () => {
  assert.equal(disk(1000, 64).freeSpace.problem(), undefined)
  assert.match(
    disk(1000, 63).freeSpace.problem() ?? '',
    /^The disk that holds the database has only 63 MB free;/,
  )
  assert.equal(disk(100_000, 2000).freeSpace.problem(), undefined)
  assert.match(
    disk(100_000, 1999).freeSpace.problem() ?? '',
    /only 1999 MB free; below 2000 MB nothing is written/,
  )
})

test('a full disk is Unavailable until it has space again', () => {
  const { state, freeSpace } = disk(1000, 500)
  freeSpace.check()
  state.freeMb = 10
  state.time += 1000
  assert.throws(() => freeSpace.check(), Unavailable)
  state.freeMb = 500
  state.time += 1000
  freeSpace.check()
})

test('the system is asked a few times per second at most', () => {
  const { state, freeSpace } = disk(1000, 500)
  for (let n = 0; n < 100; n++) freeSpace.check()
  assert.equal(state.calls, 1)
})

test('a folder that cannot be examined is not reported as full', () => {
  const freeSpace = new FreeSpace('the database', '/does/not/exist', { limits: LIMITS })
  assert.equal(freeSpace.read().free, undefined)
  assert.equal(freeSpace.problem(), undefined)
})

test('the free space of a real folder is read', () => {
  const { free = 0 } = new FreeSpace('the database', import.meta.dirname, { limits: LIMITS }).read()
  assert.ok(free > 0)
})
