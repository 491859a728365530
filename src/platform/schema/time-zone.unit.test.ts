import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTimeZone, localDay, startOfDay } from './time-zone.ts'

const start = (day: string, zone: string): string =>
  new Date(startOfDay(Date.parse(`${day}T00:00:00Z`), zone)).toISOString()

test('days begin at midnight in their zone, and take 23 or 25 hours when clocks change', () => {
  for (const [zone, day, expected] of [
    ['UTC', '2026-03-08', '2026-03-08T00:00:00.000Z'],
    ['America/Los_Angeles', '2026-03-08', '2026-03-08T08:00:00.000Z'],
    ['America/Los_Angeles', '2026-03-09', '2026-03-09T07:00:00.000Z'],
    ['America/Los_Angeles', '2026-11-01', '2026-11-01T07:00:00.000Z'],
    ['America/Los_Angeles', '2026-11-02', '2026-11-02T08:00:00.000Z'],
    ['Pacific/Auckland', '2026-04-05', '2026-04-04T11:00:00.000Z'],
    ['Pacific/Auckland', '2026-04-06', '2026-04-05T12:00:00.000Z'],
    ['Asia/Kathmandu', '2026-04-06', '2026-04-05T18:15:00.000Z'],
  ] as const)
    assert.equal(start(day, zone), expected, `${zone} ${day}`)
})

test('a day without midnight begins when clocks are set forward, one with two at the first', () => {
  assert.equal(start('2018-11-04', 'America/Sao_Paulo'), '2018-11-04T03:00:00.000Z')
  assert.equal(start('2026-11-01', 'America/Havana'), '2026-11-01T04:00:00.000Z')
  // Samoa left this day out.
  assert.equal(start('2011-12-30', 'Pacific/Apia'), start('2011-12-31', 'Pacific/Apia'))
  assert.equal(start('1850-01-01', 'America/Los_Angeles'), '1850-01-01T07:52:58.000Z')
})

test('the same moment is on different days', () => {
  const day = (moment: string, zone: string) =>
    new Date(localDay(Date.parse(moment), zone)).toISOString().slice(0, 10)
  assert.equal(day('2026-03-02T03:30:00Z', 'America/Los_Angeles'), '2026-03-01')
  assert.equal(day('2026-03-02T03:30:00Z', 'UTC'), '2026-03-02')
  assert.equal(day('2026-03-02T11:30:00Z', 'Pacific/Auckland'), '2026-03-03')
})

test('only names of time zones are time zones', () => {
  for (const zone of ['UTC', 'Europe/Berlin', 'Asia/Calcutta', 'Asia/Kolkata', 'america/los_angeles'])
    assert.equal(isTimeZone(zone), true, zone)
  for (const text of ['', '+02:00', '-08', 'Berlin', 'Europe/Berlin ', 'Mars/Olympus', '\0'])
    assert.equal(isTimeZone(text), false, JSON.stringify(text))
})
