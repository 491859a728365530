import assert from 'node:assert/strict'
import { after, before, beforeEach, mock, test } from 'node:test'
import { MutationObserver, QueryClient, QueryObserver } from '@tanstack/react-query'
import type { ChangeEvent } from '#src/client/client.ts'
import { changeQueue } from '#web/service/change-queue.ts'
import { Refresh } from '#web/service/refresh.ts'

const event: ChangeEvent = {
  ...{ kind: 'company', id: 'cmp_1', count: 1, action_id: null },
  ...{ user_email: null, at: '2026-03-02T09:30:00.000Z' },
}

before(() => {
  Object.assign(globalThis, { document: { hidden: false } })
  mock.timers.enable({ apis: ['setTimeout', 'Date'] })
})
after(() => {
  mock.timers.reset()
  Reflect.deleteProperty(globalThis, 'document')
})

let queryClient: QueryClient
let requests: number
beforeEach(async () => {
  queryClient = new QueryClient({ defaultOptions: { mutations: { networkMode: 'always' } } })
  requests = 0
  const list = new QueryObserver(queryClient, {
    queryKey: ['companies', 'list', {}],
    networkMode: 'always',
    queryFn: async () => ++requests,
  })
  list.subscribe(() => {})
  await settled()
  assert.equal(requests, 1)
})

const settled = () => new Promise((resolve) => setImmediate(resolve))

async function pass(seconds: number): Promise<void> {
  for (let tenths = 0; tenths < seconds * 10; tenths++) {
    mock.timers.tick(100)
    await settled()
  }
}

/** Starts a change of a company. */
function change(): { end: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  const observer = new MutationObserver(queryClient, { ...changeQueue, mutationFn: () => promise })
  void observer.mutate()
  return { end: resolve }
}

test('a change by someone else waits while changes are being saved, unless saving hangs', async () => {
  const refresh = new Refresh(queryClient)
  const changes = [change(), change(), change()]
  refresh.add([event])
  for (const { end } of changes.slice(0, 2)) {
    await pass(8)
    end()
    await settled()
  }
  assert.equal(requests, 1, 'the queue moves on')
  await pass(30)
  assert.equal(requests, 2, 'the last change hangs')
})

test('a change by someone else is refetched when the last change is saved', async () => {
  const refresh = new Refresh(queryClient)
  const { end } = change()
  refresh.add([event])
  await pass(5)
  assert.equal(requests, 1)
  end()
  await pass(1)
  assert.equal(requests, 2)
})

test('only what was loaded before a time is refetched', async () => {
  const refresh = new Refresh(queryClient)
  refresh.loadedBefore(Date.now())
  await pass(3)
  assert.equal(requests, 1)
  refresh.loadedBefore(Date.now())
  await pass(3)
  assert.equal(requests, 2)
})
