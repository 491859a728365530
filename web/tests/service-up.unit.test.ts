import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serviceIsUp } from '#web/service/service-up.ts'

test('everything that waits for the service shares the same requests', async ({ mock }) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  let isUp = false
  const request = mock.method(
    globalThis,
    'fetch',
    async () => new Response(null, { status: isUp ? 200 : 503 }),
  )
  const waiting = Promise.all([serviceIsUp(), serviceIsUp(), serviceIsUp()])
  const pass = async () => {
    mock.timers.runAll()
    await new Promise((resolve) => setImmediate(resolve))
  }
  await pass()
  await pass()
  assert.equal(request.mock.callCount(), 2)
  isUp = true
  await pass()
  await waiting
  assert.equal(request.mock.callCount(), 3)
  const again = serviceIsUp()
  await pass()
  await again
  assert.equal(request.mock.callCount(), 4)
})
