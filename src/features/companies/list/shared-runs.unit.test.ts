import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharingRuns } from './shared-runs.ts'

/** A task whose runs end when the test says so. */
function controlled() {
  const runs: PromiseWithResolvers<number>[] = []
  const shared = sharingRuns(() => {
    const run = Promise.withResolvers<number>()
    runs.push(run)
    return run.promise
  })
  return { runs, shared }
}
const settled = () => new Promise(setImmediate)

test('callers share a run that starts after their calls', async () => {
  const { runs, shared } = controlled()
  const first = shared()
  const later = [shared(), shared()]
  assert.equal(runs.length, 1)
  runs[0]?.resolve(1)
  assert.equal(await first, 1)
  await settled()
  assert.equal(runs.length, 2)
  const last = shared()
  runs[1]?.resolve(2)
  assert.deepEqual(await Promise.all(later), [2, 2])
  await settled()
  runs[2]?.resolve(3)
  assert.equal(await last, 3)
  assert.equal(runs.length, 3)
})

test('a run that fails fails its own callers only', async () => {
  const { runs, shared } = controlled()
  const first = shared()
  const second = shared()
  runs[0]?.reject(new Error('down'))
  await assert.rejects(first, /down/)
  await settled()
  runs[1]?.resolve(2)
  assert.equal(await second, 2)
  const third = shared()
  runs[2]?.resolve(3)
  assert.equal(await third, 3)
})
