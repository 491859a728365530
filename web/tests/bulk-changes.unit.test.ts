import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { notifications, notificationsStore } from '@mantine/notifications'

Object.assign(globalThis, {
  location: new URL('http://127.0.0.1/'),
  localStorage: { getItem: () => null },
  addEventListener: () => {},
})
const { CountChanged, changeTarget, countOf, sendExpecting } = await import('#web/bulk-actions/target.ts')
const { rejectedChanges: refusedChanges } = await import('#web/screens/companies/rejected-changes.ts')
const { selection } = await import('#web/screens/companies/selection.ts')
const { service } = await import('#web/api/service.ts')
const {
  withNewCount: recounted,
  selected,
  targetOf,
} = await import('#web/screens/companies/shortcut-targets.ts')

beforeEach(() => {
  notifications.clean()
  selection.clear()
})

const messages = () => notificationsStore.getState().notifications.map(({ message }) => message)

test('the screen asks about rejected changes one after the other, and they are announced if no screen asks', () => {
  const error = new CountChanged(501, 500)
  const targets = { ids: [] }
  refusedChanges.add(targets, { status: 'inactive' }, error)
  assert.equal(refusedChanges.first(), null)
  assert.deepEqual(messages(), [error.message])
  notifications.clean()

  const leave = refusedChanges.subscribe(() => {})
  refusedChanges.add(targets, { status: 'inactive' }, error)
  refusedChanges.add(targets, { thesis_id: null }, error)
  const first = refusedChanges.first()
  assert.deepEqual(first?.changes, { status: 'inactive' })
  refusedChanges.remove(first)
  assert.deepEqual(refusedChanges.first()?.changes, { thesis_id: null })
  assert.deepEqual(messages(), [])
  leave()
  assert.deepEqual(messages(), [error.message])
  assert.equal(refusedChanges.first(), null)
})

test('only the selection that was sent adopts a new count or is cleared after a change', () => {
  const filter = { field: 'status', op: 'eq' as const, value: 'active' }
  const error = new CountChanged(501, 500)
  selection.matchAll({ filter }, 500)
  const sent = selection.target()
  selection.matchAll({ q: 'an' }, 70)
  selection.adopt(sent, error)
  selection.afterChange(sent, ['status'])
  assert.equal(selection.count(), 70)

  selection.matchAll({ filter }, 500)
  selection.adopt(sent, error)
  assert.equal(selection.count(), 501)
  selection.afterChange(sent, ['thesis_id'])
  assert.equal(selection.count(), 501)
  selection.afterChange(sent, ['status'])
  assert.equal(selection.count(), 0)
})

test('a selection by the time of the latest change is cleared after every change', () => {
  selection.matchAll({ filter: { field: 'updated_at', op: 'gte', value: '2026-01-01' } }, 500)
  selection.afterChange(selection.target(), ['status'])
  assert.equal(selection.count(), 0)
})

test('a rejected selection adopts the new count, even if the page shows none of its companies', () => {
  selection.matchAll({ q: 'an' }, 500)
  const targets = recounted(selected([]), new CountChanged(501, 500))
  assert.equal(countOf(targetOf(targets)), 501)
  assert.equal(targets.away, 501)
})

test('a filter is sent with the number of matches that the user saw, and a different number is reported', async (context) => {
  const requests: unknown[] = []
  context.mock.method(globalThis, 'fetch', async (_address: unknown, { method, body }: RequestInit) => {
    requests.push([method, JSON.parse(String(body))])
    return method === 'DELETE'
      ? Response.json({ error: 'Conflict', details: 'expect is 500' }, { status: 409 })
      : Response.json({ data: [], pagination: { total: 501, hasMore: true } })
  })
  selection.matchAll({ q: 'an' }, 500)
  const target = selection.target()
  const remove = () => service.deleteCompanies({ body: changeTarget(target) })
  await assert.rejects(sendExpecting(target, remove), /^Error: 501 companies match now, not 500\./)
  assert.deepEqual(requests, [
    ['DELETE', { search: 'an', expect: 500 }],
    ['POST', { search: 'an', limit: 0 }],
  ])
})
