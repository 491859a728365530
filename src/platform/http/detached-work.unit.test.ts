import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import fastify from 'fastify'
import { DetachedWork } from './detached-work.ts'

test('work that outlasts a service that stops is aborted, and may still record that', async () => {
  const app = fastify()
  const work = new DetachedWork(app, 0)
  const recorded: string[] = []
  const running = work.run(async (stopped) => {
    await once(stopped, 'abort')
    await new Promise(setImmediate)
    recorded.push(stopped.reason.message)
  })
  await app.close()
  assert.deepEqual(recorded, ['The service was stopped.'])
  await running
})
