import assert from 'node:assert/strict'
import { after, before, beforeEach, mock, test } from 'node:test'
import { MutationObserver, QueryClient, type QueryKey } from '@tanstack/react-query'
import type { CompletedAction } from '#src/client/client.ts'
import { connection } from '#web/api/connection.ts'
import { addAction } from '#web/api/live/last-action.ts'
import { refreshWhenQuiet } from '#web/api/live/quiet-refresh.ts'
import { Refresh } from '#web/api/live/refresh.ts'
import { openQueries, pass } from './open-queries.ts'

const LIST = ['companies', 'list', {}]
const FACETS = ['companies', 'facets', {}]
const DEALS = ['deals', 'stages', {}]

let queryClient: QueryClient
before(() => {
  Object.assign(globalThis, { document: { hidden: false } })
  mock.timers.enable({ apis: ['setTimeout', 'Date'] })
})
beforeEach(() => {
  queryClient = new QueryClient({ defaultOptions: { mutations: { networkMode: 'always' } } })
})
after(() => {
  connection.set({ retryAt: 0 })
  mock.timers.reset()
  Reflect.deleteProperty(globalThis, 'document')
})

const open = (...queryKeys: QueryKey[]) => openQueries(queryClient, ...queryKeys)

test('fifty changes in fifty seconds refetch what they affect once, three seconds after the last one', async () => {
  const requests = await open(LIST, FACETS, DEALS)
  for (let n = 0; n < 50; n++) {
    refreshWhenQuiet(queryClient, [['companies'], ['stats']])
    await pass(1)
  }
  assert.deepEqual(requests, [1, 1, 1])
  await pass(1.9)
  assert.deepEqual(requests, [1, 1, 1])
  await pass(0.2)
  assert.deepEqual(requests, [2, 2, 1])
  await pass(30)
  assert.deepEqual(requests, [2, 2, 1])
})

test('events of this tab’s changes join the same refresh, and changes by others are shown at once', async () => {
  const requests = await open(LIST, FACETS)
  const refresh = new Refresh(queryClient)
  await pass(1)
  const event = (action_id: string) => ({
    ...{ kind: 'company' as const, id: 'cmp_1', count: 1, user_email: null },
    ...{ action_id, at: '2026-03-02T09:30:00.000Z' },
  })
  for (let n = 0; n < 10; n++) {
    addAction({ id: `ax_${n}` } as CompletedAction)
    refreshWhenQuiet(queryClient, [['companies']])
    refresh.add([event(`ax_${n}`)])
    await pass(1)
  }
  assert.deepEqual(requests, [1, 1])
  await pass(4)
  assert.deepEqual(requests, [2, 2])
  refresh.add([event('ax_of_someone_else')])
  await pass(0.5)
  assert.equal(requests[0], 3)
  refresh.stop()
})

test('queries that are not on screen are refetched when they are shown after the refresh', async () => {
  queryClient.setQueryData(FACETS, {})
  refreshWhenQuiet(queryClient, [['companies']])
  await pass(1)
  assert.equal(queryClient.getQueryState(FACETS)?.isInvalidated, false)
  await pass(2.1)
  assert.equal(queryClient.getQueryState(FACETS)?.isInvalidated, true)
})

test('a refresh waits while a change is being saved, and until the rate limit has passed', async () => {
  const requests = await open(LIST)
  const { promise, resolve } = Promise.withResolvers<void>()
  const saving = new MutationObserver(queryClient, { scope: { id: 'company' }, mutationFn: () => promise })
  void saving.mutate()
  refreshWhenQuiet(queryClient, [['companies']])
  await pass(10)
  assert.deepEqual(requests, [1])
  resolve()
  connection.set({ retryAt: Date.now() + 5000 })
  await pass(4)
  assert.deepEqual(requests, [1])
  await pass(5)
  assert.deepEqual(requests, [2])
})
