import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseDay } from '#web/format/parse-day.ts'

/** A Tuesday. */
const TODAY = '2026-12-08'
const read = (text: string, today = TODAY) => parseDay(text, today, { isDayFirst: true })

test('days are read as people type them', () => {
  for (const [text, day] of [
    ['today', '2026-12-08'],
    ['Tomorrow', '2026-12-09'],
    ['yesterday', '2026-12-07'],
    ['the day after tomorrow', '2026-12-10'],
    ['in 2 weeks', '2026-12-22'],
    ['2 weeks', '2026-12-22'],
    ['2w', '2026-12-22'],
    ['in two weeks', '2026-12-22'],
    ['3d', '2026-12-11'],
    ['+3d', '2026-12-11'],
    ['3 days ago', '2026-12-05'],
    ['-30d', '2026-11-08'],
    ['in a month', '2027-01-08'],
    ['3 months', '2027-03-08'],
    ['in 1 quarter', '2027-03-08'],
    ['a year from now', '2027-12-08'],
    ['Wednesday', '2026-12-09'],
    ['Mon', '2026-12-14'],
    ['thurs', '2026-12-10'],
    ['by Friday', '2026-12-11'],
    ['next Tuesday', '2026-12-15'],
    ['next monday', '2026-12-14'],
    ['tuesday next week', '2026-12-15'],
    ['last friday', '2026-12-04'],
    ['next week', '2026-12-14'],
    ['end of next week', '2026-12-20'],
    ['next month', '2027-01-01'],
    ['end of month', '2026-12-31'],
    ['end of the month', '2026-12-31'],
    ['end of next month', '2027-01-31'],
    ['next quarter', '2027-01-01'],
    ['end of quarter', '2026-12-31'],
    ['end of next quarter', '2027-03-31'],
    ['next year', '2027-01-01'],
    ['end of year', '2026-12-31'],
    ['Q3', '2027-07-01'],
    ['Q3 2028', '2028-07-01'],
    ['end of Q4', '2026-12-31'],
    ['end of q1 2028', '2028-03-31'],
    ['31 March', '2027-03-31'],
    ['31st of March', '2027-03-31'],
    ['March 31', '2027-03-31'],
    ['8 December', '2026-12-08'],
    ['Dec 7', '2027-12-07'],
    ['December 8, 2026', '2026-12-08'],
    ['Dec 8, 2026', '2026-12-08'],
    ['28. Nov. 2026', '2026-11-28'],
    ['8-Dec-2026', '2026-12-08'],
    ['1 sept 2027', '2027-09-01'],
    ['March 2027', '2027-03-01'],
    ['end of February 2028', '2028-02-29'],
    ['Tuesday, December 8', '2026-12-08'],
    ['15th', '2026-12-15'],
    ['the 5th', '2027-01-05'],
    ['2027-03-31', '2027-03-31'],
    ['2027/3/31', '2027-03-31'],
    ['31.3.', '2027-03-31'],
    ['31.3', '2027-03-31'],
    ['31.12.', '2026-12-31'],
    ['31. 3. 2027', '2027-03-31'],
    ['31.3.27', '2027-03-31'],
    ['31/3/2027', '2027-03-31'],
    ['3/4/2027', '2027-04-03'],
    ['3/31/2027', '2027-03-31'],
    ['  31   march ', '2027-03-31'],
  ] as const)
    assert.equal(read(text), day, text)
})

test('what is no day is not read as one', () => {
  for (const text of [
    '',
    'banana',
    'next',
    'in',
    'in 2',
    '31 February',
    '31 April 2027',
    'Feb 30',
    '31.2.',
    '31/2/2027',
    '13/13/2027',
    '2027-02-29',
    '2027-13-01',
    '2027',
    '12',
    'month',
    'this month',
    'week',
    'Q5',
    'ju',
    '0 March',
    '32 March',
    'Monday, December 8',
    'in -3 days',
    '1.5 weeks',
    'call Ben in 2 weeks',
    'in 2 weeks or so',
    'tomorrow tomorrow',
    'in 99999 years',
    '31 Marchy',
    '31 March 14',
  ])
    assert.equal(read(text), null, text)
})

test('the order of numbers is that of the reader, unless only one order has such a day', () => {
  const us = (text: string) => parseDay(text, TODAY, { isDayFirst: false })
  assert.deepEqual(['3/4/2027', '31/3/2027', '3/31', '3.4.2027', '2/30'].map(us), [
    '2027-03-04',
    '2027-03-31',
    '2027-03-31',
    '2027-04-03',
    null,
  ])
})

test('months that are shorter, leap days, and ends of years', () => {
  assert.equal(read('in a month', '2027-01-31'), '2027-02-28')
  assert.equal(read('in a month', '2028-01-31'), '2028-02-29')
  assert.equal(read('in a year', '2028-02-29'), '2029-02-28')
  assert.equal(read('1 month ago', '2027-03-31'), '2027-02-28')
  assert.equal(read('tomorrow', '2026-12-31'), '2027-01-01')
  assert.equal(read('end of month', '2028-02-01'), '2028-02-29')
  assert.equal(read('next month', '2026-12-31'), '2027-01-01')
  assert.equal(read('in 3 days', '2026-12-30'), '2027-01-02')
  assert.equal(read('29 February', '2026-12-08'), '2028-02-29')
  assert.equal(read('29 February', '2096-03-01'), '2104-02-29')
  assert.equal(read('29.2.2028'), '2028-02-29')
  assert.equal(read('31st', '2027-04-15'), '2027-05-31')
  assert.equal(read('Q4', '2026-10-02'), '2027-10-01')
  assert.equal(read('1 January', '2026-12-31'), '2027-01-01')
})

test('weeks begin on Monday, and the weekday of today is a week away unless it is "this" one', () => {
  assert.equal(read('next Tuesday', '2026-12-07'), '2026-12-15')
  assert.equal(read('Tuesday', '2026-12-07'), '2026-12-08')
  assert.equal(read('Tuesday'), '2026-12-15')
  assert.equal(read('this Tuesday'), '2026-12-08')
  assert.equal(read('next Monday', '2026-12-06'), '2026-12-07')
  assert.equal(read('next week', '2026-12-06'), '2026-12-07')
  assert.equal(read('next week', '2026-12-07'), '2026-12-14')
  assert.equal(read('last tuesday'), '2026-12-01')
})

test('in a field about the past, days without a year are the latest ones', () => {
  const past = (text: string) => parseDay(text, TODAY, { isDayFirst: true, isPast: true })
  for (const [text, day] of [
    ['31 March', '2026-03-31'],
    ['8 Dec', '2026-12-08'],
    ['9.12.', '2025-12-09'],
    ['Monday', '2026-12-07'],
    ['Tuesday', '2026-12-08'],
    ['Friday', '2026-12-04'],
    ['2 weeks', '2026-11-24'],
    ['in 2 weeks', '2026-12-22'],
    ['15th', '2026-11-15'],
    ['Q3', '2026-07-01'],
    ['29 Feb', '2024-02-29'],
    ['tomorrow', '2026-12-09'],
  ] as const)
    assert.equal(past(text), day, text)
})
