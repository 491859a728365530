import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isWorthStoring, type LastVisit, visitAt } from '#web/screens/home/last-visit.ts'

const AT = (text: string) => new Date(text)
const FRIDAY: LastVisit = {
  day: '2026-11-27',
  at: '2026-11-27T15:30:00.000Z',
  since: '2026-11-26T08:00:00.000Z',
}

test('all visits of a Monday show what has changed since Friday', () => {
  const first = visitAt(FRIDAY, AT('2026-11-30T07:00:00Z'), 'Europe/Berlin')
  assert.deepEqual(first, { day: '2026-11-30', at: '2026-11-30T07:00:00.000Z', since: FRIDAY.at })
  const later = visitAt(first, AT('2026-11-30T22:59:00Z'), 'Europe/Berlin')
  assert.deepEqual(later, { ...first, at: '2026-11-30T22:59:00.000Z' })
  assert.equal(visitAt(later, AT('2026-11-30T23:01:00Z'), 'Europe/Berlin').since, later.at)
})

test('days are those of the time zone of the user', () => {
  const now = AT('2026-11-28T01:00:00Z')
  assert.equal(visitAt(FRIDAY, now, 'America/Los_Angeles').since, FRIDAY.since)
  assert.equal(visitAt(FRIDAY, now, 'Pacific/Auckland').since, FRIDAY.at)
  assert.equal(visitAt(null, now, 'Asia/Kathmandu').day, '2026-11-28')
})

test('a first visit, and anything else that is stored, has no last visit', () => {
  const now = AT('2026-11-30T07:00:00Z')
  for (const stored of [undefined, null, 7, 'x', [], {}, { ...FRIDAY, at: 'x' }, { ...FRIDAY, day: 1 }])
    assert.equal(visitAt(stored, now, 'UTC').since, null, JSON.stringify(stored))
  const first = visitAt(undefined, now, 'UTC')
  assert.equal(visitAt(first, AT('2026-11-30T09:00:00Z'), 'UTC').since, null)
  assert.equal(visitAt({ ...FRIDAY, since: 5 }, AT(FRIDAY.at), 'UTC').since, null)
})

test('a visit is stored on a new day, and after ten minutes', () => {
  const visit = (at: string) => visitAt(FRIDAY, AT(at), 'UTC')
  assert.equal(isWorthStoring(undefined, visit(FRIDAY.at)), true)
  assert.equal(isWorthStoring(FRIDAY, visit('2026-11-27T15:39:00Z')), false)
  assert.equal(isWorthStoring(FRIDAY, visit('2026-11-27T15:41:00Z')), true)
  assert.equal(isWorthStoring({ ...FRIDAY, at: '2026-11-27T23:59:00Z' }, visit('2026-11-28T00:01:00Z')), true)
})
