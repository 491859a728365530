import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { localDay, localTime } from '#src/platform/schema/time-zone.ts'
import { type Due, nextDue, postponed, repeatDay, todayIn } from './next-due.ts'
import { REPEATS, type Repeat } from './schema.ts'

const ZONES = ['America/Los_Angeles', 'Asia/Kathmandu', 'Pacific/Auckland', 'Europe/Berlin'] as const
const DAY_MS = 86_400_000
const MONTHS: Partial<Record<Repeat, number>> = { monthly: 1, quarterly: 3 }

const zones = fc.constantFrom(...ZONES)
const repeats = fc.constantFrom(...REPEATS)
const moments = fc.integer({ min: Date.UTC(2000), max: Date.UTC(2060) })
const dayText = (day: number) => new Date(day).toISOString().slice(0, 10)
const monthOf = (day: number) => new Date(day).getUTCFullYear() * 12 + new Date(day).getUTCMonth()
const lastDayOf = (day: number) =>
  new Date(Date.UTC(new Date(day).getUTCFullYear(), new Date(day).getUTCMonth() + 1, 0)).getUTCDate()

const onDay = (due_on: string, repeat_day: number | null = null): Due => ({
  ...{ due_on, due_at: null, repeat_day, repeat_time: null },
})
const atTime = (due_at: string, repeat_day: number | null = null): Due => ({
  ...{ due_on: null, due_at, repeat_day, repeat_time: null },
})

/** Whether a day follows another one by the rule. */
function followsRule(from: number, to: number, repeat: Repeat, wanted: number): boolean {
  const months = MONTHS[repeat]
  if (!months) return to > from && (to - from) % ((repeat === 'weekly' ? 7 : 1) * DAY_MS) === 0
  const distance = monthOf(to) - monthOf(from)
  return (
    distance > 0 && distance % months === 0 && new Date(to).getUTCDate() === Math.min(wanted, lastDayOf(to))
  )
}

test('the next day is the first one of the rule after today and after the present day', () => {
  fc.assert(
    fc.property(moments, moments, zones, repeats, (due, now, zone, repeat) => {
      const from = Math.floor(due / DAY_MS) * DAY_MS
      const repeat_day = repeatDay({ repeat, ...onDay(dayText(from)) }, zone)
      const next = nextDue(onDay(dayText(from), repeat_day), repeat, { zone, now })
      const to = Date.parse(next.due_on as string)
      const today = localDay(now, zone)
      assert.ok(to > today && to > from)
      assert.ok(followsRule(from, to, repeat, repeat_day ?? 0), `${dayText(from)} ${repeat} ${next.due_on}`)
      // No day of the rule lies between.
      for (let day = Math.max(from, today) + DAY_MS; day < to; day += DAY_MS)
        assert.ok(!followsRule(from, day, repeat, repeat_day ?? 0), `${dayText(day)} ${next.due_on}`)
    }),
    { numRuns: 400 },
  )
})

test('a time of day stays what clocks show, through daylight saving time, for a year of repetitions', () => {
  fc.assert(
    fc.property(moments, zones, repeats, (moment, zone, repeat) => {
      const first = Math.floor(moment / 60_000) * 60_000
      const wanted = localTime(first, zone)
      let due = atTime(
        new Date(first).toISOString(),
        repeatDay({ repeat, ...atTime(new Date(first).toISOString()) }, zone),
      )
      let skipped = 0
      for (let step = 0; step < (repeat === 'daily' ? 370 : 14); step++) {
        const present = Date.parse(due.due_at as string)
        due = nextDue(due, repeat, { zone, now: present })
        const next = Date.parse(due.due_at as string)
        assert.ok(next > present)
        assert.ok(followsRule(localDay(present, zone), localDay(next, zone), repeat, due.repeat_day ?? 0))
        if (localTime(next, zone) === wanted) assert.equal(due.repeat_time, null)
        else {
          // The time that clocks skip is an hour later that day.
          assert.equal(localTime(next, zone), wanted + 3_600_000)
          skipped++
        }
      }
      assert.ok(skipped <= 2)
    }),
    { numRuns: 40 },
  )
})

test('a month that is too short has the task on its last day, and the next one on its own day again', () => {
  const zone = 'Europe/Berlin'
  let due = onDay('2026-01-31', 31)
  const days: (string | null)[] = []
  for (const now of ['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30']) {
    due = nextDue(due, 'monthly', { zone, now: Date.parse(`${now}T12:00:00Z`) })
    days.push(due.due_on)
  }
  assert.deepEqual(days, ['2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31'])
  const quarterly = nextDue(onDay('2025-11-30', 30), 'quarterly', {
    zone,
    now: Date.parse('2026-01-01T12:00:00Z'),
  })
  assert.equal(quarterly.due_on, '2026-02-28')
})

test('the time that clocks skip comes back on the day after', () => {
  const zone = 'Europe/Berlin'
  const skipped = nextDue(atTime('2026-03-28T01:30:00.000Z'), 'daily', {
    ...{ zone, now: Date.parse('2026-03-28T12:00:00Z') },
  })
  assert.deepEqual([skipped.due_at, skipped.repeat_time], ['2026-03-29T01:30:00.000Z', '02:30:00.000'])
  const after = nextDue(skipped, 'daily', { zone, now: Date.parse('2026-03-29T12:00:00Z') })
  assert.deepEqual([after.due_at, after.repeat_time], ['2026-03-30T00:30:00.000Z', null])
})

test('today and midnight are those of the zone', () => {
  // The same moment is on two days.
  const now = Date.parse('2026-06-30T10:00:00Z')
  assert.equal(todayIn({ zone: 'Pacific/Auckland', now }), '2026-06-30')
  assert.equal(todayIn({ zone: 'America/Los_Angeles', now: now - 4 * 3_600_000 }), '2026-06-29')
  assert.equal(todayIn({ zone: 'Asia/Kathmandu', now: now + 8.25 * 3_600_000 }), '2026-07-01')
  const next = nextDue(onDay('2026-06-30'), 'daily', { zone: 'Asia/Kathmandu', now: now + 8.25 * 3_600_000 })
  assert.equal(next.due_on, '2026-07-02')
})

test('postponing counts from today if the day has passed, and keeps the time that clocks show', () => {
  fc.assert(
    fc.property(moments, moments, zones, fc.integer({ min: 1, max: 400 }), (due, now, zone, days) => {
      const calendar = { zone, now }
      const due_at = new Date(due).toISOString()
      const timed = postponed(atTime(due_at), days, calendar) as { due_at: string }
      const day = Math.max(localDay(due, zone), localDay(now, zone)) + days * DAY_MS
      const later = Date.parse(timed.due_at)
      assert.equal(localDay(later, zone), day)
      assert.ok([0, 3_600_000].includes(localTime(later, zone) - localTime(due, zone)))
      const dated = postponed(onDay(dayText(localDay(due, zone))), days, calendar) as { due_on: string }
      assert.equal(dated.due_on, dayText(day))
    }),
    { numRuns: 300 },
  )
  const zone = 'Europe/Berlin'
  const now = Date.parse('2026-06-30T10:00:00Z')
  const undated = { due_on: null, due_at: null, repeat_time: null }
  assert.deepEqual(postponed(undated, 1, { zone, now }), { due_on: '2026-07-01' })
})
