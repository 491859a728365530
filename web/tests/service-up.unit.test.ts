import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { serviceIsBack, serviceIsUp } from '#web/api/service-up.ts'

/** A service that can be down. `pass` lets the time until the next request pass. */
function fakeService({ mock }: TestContext) {
  mock.timers.enable({ apis: ['setTimeout'] })
  const service = { isUp: false }
  const request = mock.method(
    globalThis,
    'fetch',
    async () => new Response(null, { status: service.isUp ? 200 : 503 }),
  )
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  const pass = async () => {
    mock.timers.runAll()
    await settle()
  }
  return { service, requests: () => request.mock.callCount(), settle, pass }
}

test('everything that waits for the service shares the same requests', async (context) => {
  const { service, requests, settle, pass } = fakeService(context)
  const waiting = Promise.all([serviceIsUp(), serviceIsUp(), serviceIsUp()])
  await settle()
  assert.equal(requests(), 1)
  await pass()
  await pass()
  assert.equal(requests(), 3)
  service.isUp = true
  await pass()
  await waiting
  assert.equal(requests(), 4)
})

test('a service that is up is asked at once, also while others wait for it', async (context) => {
  const { service, requests, settle, pass } = fakeService(context)
  const first = serviceIsUp()
  await settle()
  service.isUp = true
  await serviceIsUp()
  assert.equal(requests(), 2)
  await pass()
  await first
  assert.equal(requests(), 3)
})

test('what would fail again and again waits first', async (context) => {
  const { service, requests, settle, pass } = fakeService(context)
  service.isUp = true
  const back = serviceIsBack()
  await settle()
  assert.equal(requests(), 0)
  await pass()
  await back
  assert.equal(requests(), 1)
})
