import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDateTime } from './formats.ts'

test('a time is an RFC 3339 time in the years 1 to 9999, in UTC too', () => {
  for (const time of [
    '2026-03-02T09:30:00Z',
    '2024-02-29T09:30:00.123456789+14:00',
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999Z',
    '9999-12-31T23:59:59+15:59',
  ])
    assert.ok(isDateTime(time), time)
  for (const time of [
    '',
    'foo 1',
    '2026-03-02',
    '2026-03-02T09:30:00',
    '2026-02-30T09:30:00Z',
    '2026-03-02T24:30:00Z',
    '0000-12-31T23:59:59Z',
    '0000-12-31T23:59:59-15:00',
    '0001-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-15:59',
    '2026-03-02T09:30:00+16:00',
    '10000-01-01T00:00:00Z',
  ])
    assert.ok(!isDateTime(time), time)
})
