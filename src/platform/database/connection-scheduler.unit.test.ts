import assert from 'node:assert/strict'
import { after, beforeEach, describe, mock, test } from 'node:test'
import { ConnectionScheduler, type Urgency } from './connection-scheduler.ts'

/** Takes connections in turn and records the order. */
function recording() {
  const scheduler = new ConnectionScheduler()
  const order: string[] = []
  const take = async (urgency: Urgency, name: string, work: () => unknown = () => {}): Promise<void> => {
    const end = await scheduler.take(urgency)
    order.push(name)
    await work()
    end()
  }
  return { order, take }
}

test('one has the turn at a time, in the order of arrival', async () => {
  const { order, take } = recording()
  const slow = () => new Promise<void>((resolve) => setTimeout(() => resolve(void order.push('end')), 10))
  await Promise.all([
    take('request', 'first', slow),
    take('request', 'second', slow),
    take('request', 'third'),
  ])
  assert.deepEqual(order, ['first', 'end', 'second', 'end', 'third'])
})

test('requests go before long work', async () => {
  const { order, take } = recording()
  const first = take('long', 'import 1')
  const second = take('long', 'import 2')
  await Promise.all([take('request', 'list 1'), take('request', 'list 2'), first, second])
  assert.deepEqual(order, ['list 1', 'list 2', 'import 1', 'import 2'])
})

test('a request that sends several statements is not interrupted by long work', async () => {
  const { order, take } = recording()
  const list = async () => {
    for (const statement of ['user', 'version', 'page']) await take('request', statement)
  }
  await Promise.all([take('long', 'import'), list()])
  assert.deepEqual(order, ['user', 'version', 'page', 'import'])
})

describe('long work that has waited for 200 ms', () => {
  let now: number
  const clock = mock.method(performance, 'now', () => now)
  beforeEach(() => {
    now = 0
  })
  after(() => clock.mock.restore())
  const takeLong = () => {
    now += 250
  }

  test('goes before requests', async () => {
    const { order, take } = recording()
    const first = take('request', 'list 1', takeLong)
    await Promise.all([first, take('long', 'import'), take('request', 'list 2')])
    assert.deepEqual(order, ['list 1', 'import', 'list 2'])
  })

  test('does not keep requests waiting together with other long work', async () => {
    const { order, take } = recording()
    const first = take('request', 'list 1', takeLong)
    const imports = [take('long', 'import 1', takeLong), take('long', 'import 2', takeLong)]
    await Promise.all([first, ...imports, take('request', 'list 2')])
    assert.deepEqual(order, ['list 1', 'import 1', 'list 2', 'import 2'])
  })
})
