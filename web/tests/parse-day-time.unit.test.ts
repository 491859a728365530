import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseDayTime } from '#web/format/parse-day-time.ts'

/** A Tuesday at noon, in the time zone of the machine. */
const NOW = new Date(2026, 11, 8, 12)
const at = (day: number, hours = 0, minutes = 0, month = 12, year = 2026) =>
  new Date(year, month - 1, day, hours, minutes).toISOString()

test('days with times are read as people type them', () => {
  for (const [text, moment] of [
    ['tomorrow 3pm', at(9, 15)],
    ['tomorrow at 3', at(9, 3)],
    ['3 p.m. tomorrow', at(9, 15)],
    ['tomorrow noon', at(9, 12)],
    ['31 March 14:30', at(31, 14, 30, 3, 2027)],
    ['March 31, 2:30 PM', at(31, 14, 30, 3, 2027)],
    ['Dec 9, 2026, 3:00\u202fPM', at(9, 15)],
    ['9 Dec 2026, 15:00', at(9, 15)],
    ['09.12.2026, 15:00', at(9, 15)],
    ['2026-12-09T15:00', at(9, 15)],
    ['2026-12-09 15:00:10', at(9, 15)],
    ['2026-12-09T15:00:00Z', '2026-12-09T15:00:00.000Z'],
    ['2026-12-09T15:00:00+02:00', '2026-12-09T13:00:00.000Z'],
    ['next Tuesday @ 12am', at(15, 0)],
    ['12pm', at(8, 12)],
    ['3pm', at(8, 15)],
    ['at 9', at(9, 9)],
    ['9:00', at(9, 9)],
    ['now', at(8, 12)],
    ['in 3 hours', at(8, 15)],
    ['30 min', at(8, 12, 30)],
    ['2h ago', at(8, 10)],
    ['tomorrow', at(9, 9)],
  ] as const)
    assert.equal(parseDayTime(text, NOW, { isDayFirst: true }), moment, text)
})

test('what is no time is not read as one', () => {
  for (const text of [
    '',
    'banana',
    'tomorrow 25:00',
    'tomorrow 13pm',
    'tomorrow 0am',
    'tomorrow 9:60',
    '31 March 14',
    '31 February 14:30',
    'banana 14:30',
    'at',
    '3',
    '14:30 14:30',
    '2026-12-32T15:00:00Z',
  ])
    assert.equal(parseDayTime(text, NOW, { isDayFirst: true }), null, text)
})

test('a day without a time keeps the given one, and the past is preferred where asked', () => {
  assert.equal(parseDayTime('tomorrow', NOW, { clock: '14:30' }), at(9, 14, 30))
  const past = (text: string) => parseDayTime(text, NOW, { isPast: true, isDayFirst: true })
  assert.equal(past('3pm'), at(7, 15))
  assert.equal(past('9am'), at(8, 9))
  assert.equal(past('2 hours'), at(8, 10))
  assert.equal(past('Monday 9:00'), at(7, 9))
  assert.equal(past('31 March 14:30'), at(31, 14, 30, 3, 2026))
})
