import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoize, singleFlight } from './single-flight.ts'

test('concurrent calls with the same key share one run, and nothing is kept', async () => {
  const run = singleFlight<string>()
  const runs: string[] = []
  const task = (key: string) => async () => {
    runs.push(key)
    if (key === 'wrong') throw new Error('failed')
    return key
  }
  assert.deepEqual(await Promise.all(['a', 'a', 'b'].map((key) => run(key, task(key)))), ['a', 'a', 'b'])
  assert.deepEqual(runs, ['a', 'b'])
  await Promise.all([1, 2].map(() => assert.rejects(run('wrong', task('wrong')), /failed/)))
  assert.equal(await run('a', task('a')), 'a')
  assert.deepEqual(runs, ['a', 'b', 'wrong', 'a'])
})

test('concurrent callers share one run, and a failure is not kept', async () => {
  let runs = 0
  const run = memoize(async () => {
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
  const run = memoize(
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
