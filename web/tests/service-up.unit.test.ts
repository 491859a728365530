import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { waitForRecovery, waitForService } from '#web/api/service-up.ts'

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

test('all callers that wait for the service share the same requests', async (context) => {
  const { service, requests, settle, pass } = fakeService(context)
  const waiting = Promise.all([waitForService(), waitForService(), waitForService()])
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

test('a caller requests a service that is up at once, even while others wait for it', async (context) => {
  const { service, requests, settle, pass } = fakeService(context)
  const first = waitForService()
  await settle()
  service.isUp = true
  await waitForService()
  assert.equal(requests(), 2)
  await pass()
  await first
  assert.equal(requests(), 3)
})

test('requests that could fail in a loop wait first', async (context) => {
  const { service, requests, settle, pass } = fakeService(context)
  service.isUp = true
  const back = waitForRecovery()
  await settle()
  assert.equal(requests(), 0)
  await pass()
  await back
  assert.equal(requests(), 1)
})
