import assert from 'node:assert/strict'
import { after, before, beforeEach, mock, test } from 'node:test'
import { MutationObserver, QueryClient, type QueryKey } from '@tanstack/react-query'
import type { ChangeEvent } from '#src/client/client.ts'
import { changeQueue } from '#web/api/live/change-queue.ts'
import { FIRST_RATE, OTHERS_RATE, Refresh } from '#web/api/live/refresh.ts'
import { openQueries, pass, settled } from './open-queries.ts'

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

const LIST = ['companies', 'list', {}]

let queryClient: QueryClient
beforeEach(() => {
  queryClient = new QueryClient({ defaultOptions: { mutations: { networkMode: 'always' } } })
})

const open = (...queryKeys: QueryKey[]) => openQueries(queryClient, ...queryKeys)

/** A refresh in a page that has been open for a while. */
async function openRefresh(): Promise<Refresh> {
  const refresh = new Refresh(queryClient)
  await pass(1)
  return refresh
}

/** Starts a change of a company. */
function change(): { end: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  const observer = new MutationObserver(queryClient, { ...changeQueue, mutationFn: () => promise })
  void observer.mutate()
  return { end: resolve }
}

test('a change by someone else waits while changes are being saved, unless saving hangs', async () => {
  const requests = await open(LIST)
  const refresh = new Refresh(queryClient)
  const changes = [change(), change(), change()]
  refresh.add([event])
  for (const { end } of changes.slice(0, 2)) {
    await pass(8)
    end()
    await settled()
  }
  assert.deepEqual(requests, [1], 'the queue moves on')
  await pass(30)
  assert.deepEqual(requests, [2], 'the last change hangs')
})

test('a change by someone else is refetched when the last change is saved', async () => {
  const requests = await open(LIST)
  const refresh = new Refresh(queryClient)
  const { end } = change()
  refresh.add([event])
  await pass(5)
  assert.deepEqual(requests, [1])
  end()
  await pass(1)
  assert.deepEqual(requests, [2])
})

test('only queries that were loaded before a time are refetched', async () => {
  const requests = await open(LIST)
  const refresh = new Refresh(queryClient)
  refresh.loadedBefore(Date.now())
  await pass(3)
  assert.deepEqual(requests, [1])
  refresh.loadedBefore(Date.now())
  await pass(3)
  assert.deepEqual(requests, [2])
})

const ACTIVITY = [['stats'], ['activity', {}]]
/** The queries on screen: those that show the changed record, and others that the change affects. */
const SCREENS = {
  company: {
    kind: 'company',
    shown: [['companies', 'one', 'cmp_1']],
    others: [
      ['theses', 'list'],
      ['companies', 'facets', {}],
      ['history', 'company', 'cmp_1', {}],
      ...ACTIVITY,
    ],
  },
  'company list': {
    kind: 'company',
    shown: [LIST],
    others: [
      ['theses', 'list'],
      ['companies', 'facets', {}],
      ['views', 'company'],
      ['tags', {}],
      ...ACTIVITY,
    ],
  },
  'board with a deal': {
    kind: 'deal',
    shown: [
      ['deals', 'stages', {}],
      ['deals', 'one', 'cmp_1'],
    ],
    others: [['views', 'deal'], ['open-view', 'view_1'], ['companies', 'facets', {}], ...ACTIVITY],
  },
} satisfies { [name: string]: { kind: ChangeEvent['kind']; shown: QueryKey[]; others: QueryKey[] } }

for (const [name, screen] of Object.entries(SCREENS))
  test(`${name}: each of 15 changes in 28 seconds is shown at once, and the rest follows at a slow rate`, async () => {
    const { shown, others } = await followed(screen)
    for (const times of shown) {
      assert.equal(times.length, 15)
      for (const [index, time] of times.entries())
        assert.ok(time - index * 2 <= 0.5, `change ${index} is shown after ${time - index * 2} s`)
    }
    const sent = others.flat()
    const during = sent.filter((time) => time <= 28).length
    assert.ok(during <= OTHERS_RATE.burst + 28 * OTHERS_RATE.perSecond + others.length, `${during}`)
    for (const times of others) assert.ok((times.at(-1) as number) > 28, `${times}`)
    const inMinute = [...shown.flat(), ...sent].filter((time) => time <= 60).length
    assert.ok(inMinute <= 66, `${inMinute} requests in a minute`)
  })

/** The seconds after which each query is refetched, while a record changes every two seconds, 15 times. */
async function followed({ kind, shown, others }: (typeof SCREENS)[keyof typeof SCREENS]) {
  const counts = await open(...shown, ...others)
  const times = counts.map(() => [] as number[])
  const refresh = await openRefresh()
  for (let tenth = 1; tenth <= 700; tenth++) {
    if (tenth % 20 === 1 && tenth < 300) refresh.add([{ ...event, kind }])
    const before = [...counts]
    await pass(0.1)
    for (const [index, count] of counts.entries()) if (count !== before[index]) times[index]?.push(tenth / 10)
  }
  return { shown: times.slice(0, shown.length), others: times.slice(shown.length) }
}

test('many changes in each second stay within the rates', async () => {
  const [list, ...others] = await burst(60)
  const first = FIRST_RATE.burst + 60 * FIRST_RATE.perSecond
  const rest = OTHERS_RATE.burst + 60 * OTHERS_RATE.perSecond
  assert.ok(list && list >= 40 && list <= first + 1, `${list} requests of the list`)
  const sent = others.reduce((sum, count) => sum + count)
  assert.ok(sent >= 14 && sent <= rest + others.length, `${sent} other requests`)
  assert.ok(list + sent <= 66 + others.length, `${list + sent} requests`)
})

/** The refetches of each query of the company list while several companies change in each tenth of a second. */
async function burst(seconds: number): Promise<number[]> {
  const { shown, others } = SCREENS['company list']
  const counts = await open(...shown, ...others)
  const refresh = await openRefresh()
  for (let tenth = 0; tenth < seconds * 10; tenth++) {
    refresh.add([event, { ...event, id: null, count: 50 }])
    await pass(0.1)
  }
  return counts.map((count) => count - 1)
}

test('other queries also wait while changes are being saved, and are refetched when they are saved', async () => {
  const requests = await open(LIST, ['stats'])
  const refresh = await openRefresh()
  refresh.add([event])
  await pass(0.3)
  const { end } = change()
  await pass(5)
  assert.deepEqual(requests, [2, 1])
  end()
  await pass(1)
  assert.deepEqual(requests, [2, 2])
})

test('a screen that only counts changed records refetches little at once', async () => {
  const requests = await open(['stats'], ['views', 'company'], ['tags', {}])
  const refresh = await openRefresh()
  refresh.add([event])
  await pass(0.5)
  assert.deepEqual(requests, [2, 2, 1])
  await pass(2)
  assert.deepEqual(requests, [2, 2, 2])
})

test('queries that are not on screen are stale from the change on', async () => {
  await open(LIST)
  queryClient.setQueryData(['companies', 'one', 'cmp_1'], {})
  const refresh = await openRefresh()
  refresh.add([event])
  await pass(0.5)
  assert.equal(queryClient.getQueryState(['companies', 'one', 'cmp_1'])?.isInvalidated, true)
})
