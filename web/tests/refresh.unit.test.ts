import assert from 'node:assert/strict'
import { after, afterEach, before, mock, test } from 'node:test'
import { MutationObserver, type QueryKey } from '@tanstack/react-query'
import type { ChangeEvent } from '#src/client/client.ts'
import { connection } from '#web/api/connection.ts'
import { changeQueue } from '#web/api/live/change-queue.ts'
import { refreshAfterEvents, refreshAfterOwnChange, refreshLoadedBefore } from '#web/api/live/refresh.ts'
import { queryClient } from '#web/api/query-client.ts'
import { openQueries, pass, settled } from './open-queries.ts'

const event: ChangeEvent = {
  ...{ kind: 'company', id: 'cmp_1', count: 1, action_id: null },
  ...{ user_email: null, at: '2026-03-02T09:30:00.000Z' },
}
const LIST = ['companies', 'list', {}]
const FACETS = ['companies', 'facets', {}]
const IMPORTS = ['imports', 'list']

before(() => {
  Object.assign(globalThis, { document: { hidden: false } })
  mock.timers.enable({ apis: ['setTimeout', 'Date'] })
})
afterEach(async () => {
  await pass(20)
  queryClient.clear()
})
after(() => {
  connection.set({ retryAt: 0 })
  mock.timers.reset()
  Reflect.deleteProperty(globalThis, 'document')
})

const open = (...queryKeys: QueryKey[]) => openQueries(queryClient, ...queryKeys)
const change = () => refreshAfterOwnChange({ kind: 'company', id: 'cmp_1' })

/** Starts to save a change of a company. */
function save(): { end: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  const observer = new MutationObserver(queryClient, { ...changeQueue, mutationFn: () => promise })
  void observer.mutate()
  return { end: resolve }
}

test('a change by someone else is shown after three seconds, with everything that it affects', async () => {
  const requests = await open(LIST, FACETS, ['stats'], IMPORTS)
  refreshAfterEvents([event])
  await pass(2.9)
  assert.deepEqual(requests, [1, 1, 1, 1])
  await pass(0.3)
  assert.deepEqual(requests, [2, 2, 2, 1])
  await pass(30)
  assert.deepEqual(requests, [2, 2, 2, 1])
})

test('a notification is shown at once, and the next ones with the rest', async () => {
  const notification: ChangeEvent = { ...event, kind: 'notification', id: null }
  const requests = await open(['notifications', 'list', 'all'], LIST)
  refreshAfterEvents([notification])
  await pass(0.1)
  assert.deepEqual(requests, [2, 1])
  for (let n = 0; n < 4; n++) {
    refreshAfterEvents([notification])
    await pass(0.5)
  }
  assert.deepEqual(requests, [2, 1])
  await pass(3)
  assert.deepEqual(requests, [3, 1])
})

test('a notification does not move rows while the user marks others', async () => {
  const notification: ChangeEvent = { ...event, kind: 'notification', id: null }
  const requests = await open(['notifications', 'list', 'all'])
  refreshAfterOwnChange({ kind: 'notification', id: null })
  await pass(1)
  refreshAfterEvents([notification])
  await pass(1)
  assert.deepEqual(requests, [1])
  await pass(3)
  assert.deepEqual(requests, [2])
})

test('an import of a minute refetches what it affects every 15 seconds, and once more after it', async () => {
  const requests = await open(LIST, FACETS)
  for (let quarter = 0; quarter < 240; quarter++) {
    refreshAfterEvents([event, { ...event, id: null, count: 50 }])
    await pass(0.25)
  }
  for (const count of requests) assert.ok(count >= 4 && count <= 6, `${count} requests`)
  const [before] = requests
  await pass(3.5)
  assert.deepEqual(requests, [Number(before) + 1, Number(before) + 1])
})

test('fifty own changes in fifty seconds refetch what they affect once, three seconds after the last one', async () => {
  const requests = await open(LIST, FACETS, IMPORTS)
  for (let n = 0; n < 50; n++) {
    change()
    await pass(0.2)
    refreshAfterEvents([event])
    await pass(0.8)
  }
  assert.deepEqual(requests, [1, 1, 1])
  await pass(2.5)
  assert.deepEqual(requests, [2, 2, 1])
  await pass(30)
  assert.deepEqual(requests, [2, 2, 1])
})

test('queries that are not on screen are refetched when they are shown after the refresh', async () => {
  queryClient.setQueryData(FACETS, {})
  change()
  await pass(1)
  assert.equal(queryClient.getQueryState(FACETS)?.isInvalidated, false)
  await pass(2.2)
  assert.equal(queryClient.getQueryState(FACETS)?.isInvalidated, true)
})

test('a refresh waits while changes are being saved, unless saving hangs', async () => {
  const requests = await open(LIST)
  const first = save()
  refreshAfterEvents([event])
  await pass(10)
  const second = save()
  first.end()
  await settled()
  await pass(10)
  assert.deepEqual(requests, [1], 'the queue moves on')
  second.end()
  await pass(1.2)
  assert.deepEqual(requests, [2], 'all are saved')
  const hanging = save()
  refreshAfterEvents([event])
  await pass(32)
  assert.deepEqual(requests, [3], 'the last change hangs')
  hanging.end()
})

test('a refresh waits until the rate limit has passed and the tab is shown', async () => {
  const requests = await open(LIST)
  connection.set({ retryAt: Date.now() + 5000 })
  refreshAfterEvents([event])
  await pass(4.5)
  assert.deepEqual(requests, [1])
  Object.assign(document, { hidden: true })
  await pass(10)
  assert.deepEqual(requests, [1])
  Object.assign(document, { hidden: false })
  await pass(1.2)
  assert.deepEqual(requests, [2])
})

test('only queries that were loaded before a time are refetched', async () => {
  const requests = await open(LIST)
  refreshLoadedBefore(Date.now())
  await pass(4)
  assert.deepEqual(requests, [1])
  refreshLoadedBefore(Date.now())
  await pass(4)
  assert.deepEqual(requests, [2])
})
