import assert from 'node:assert/strict'
import { test } from 'node:test'
import { singleFlight } from './single-flight.ts'

test('concurrent callers share one run, and a failure is not kept', async () => {
  let runs = 0
  const run = singleFlight(async () => {
    runs += 1
    if (runs === 1) throw new Error('first')
    return runs
  })
  const first = [run(), run()]
  for (const result of first) await assert.rejects(result, /first/)
  assert.deepEqual(await Promise.all([run(), run()]), [2, 2])
  assert.equal(await run(), 2)
})

test('results and failures expire', async ({ mock }) => {
  mock.timers.enable({ apis: ['Date'] })
  let runs = 0
  let fails = true
  const run = singleFlight(
    async () => {
      runs += 1
      if (fails) throw new Error('down')
      return runs
    },
    { successMs: 1000, failureMs: () => 100 },
  )
  await assert.rejects(run())
  await assert.rejects(run())
  assert.equal(runs, 1)
  mock.timers.tick(100)
  fails = false
  assert.equal(await run(), 2)
  mock.timers.tick(999)
  assert.equal(await run(), 2)
  mock.timers.tick(1)
  assert.equal(await run(), 3)
})
