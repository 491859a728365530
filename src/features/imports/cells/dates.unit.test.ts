import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { DateOrder } from '../schema.ts'
import { DateEvidence } from './date-evidence.ts'
import { readDate } from './dates.ts'
import { readYear } from './years.ts'

const read = (text: string, order: DateOrder | null = null) => readDate(text, { order }, 'custom.met')

test('dates whose order is clear', () => {
  for (const [text, day] of [
    ['2026-03-31', '2026-03-31'],
    ['2026/3/1', '2026-03-01'],
    ['20260331', '2026-03-31'],
    ['2026-11-27T00:00:00.000Z', '2026-11-27'],
    ['2026-11-27 00:00:00+05:00', '2026-11-27'],
    ['2026-11-27 0:00', '2026-11-27'],
    ['Nov 27, 2026 12:00 AM', '2026-11-27'],
    ['Nov 27, 2026', '2026-11-27'],
    ['November 27th, 2026', '2026-11-27'],
    ['27-Nov-26', '2026-11-27'],
    ['27-Nov-98', '1998-11-27'],
    ['Fri, 27 Nov 2026', '2026-11-27'],
    ['27. November 2026', '2026-11-27'],
    ['3. März 2026', '2026-03-03'],
    ['1er août 2026', '2026-08-01'],
    ['27 de novembro de 2026', '2026-11-27'],
    ['27 listopada 2026', '2026-11-27'],
    ['27 ноября 2026', '2026-11-27'],
    ['2026年11月27日', '2026-11-27'],
    ['46353', '2026-11-27'],
    ['46353.0', '2026-11-27'],
    ['1.3.2026', '2026-03-01'],
    ['05/05/2026', '2026-05-05'],
  ] as const)
    assert.deepEqual(read(text), { value: day }, text)
})

test('a time of day is left out with a note', () => {
  for (const text of [
    '2026-11-27T09:30:00.000Z',
    '2026-11-27 23:30:00+05:00',
    '2026-11-27 09:30',
    '2026-11-27 00:00:30',
    '27.11.2026 10.30 Uhr',
    'Nov 27, 2026, 9:05 pm',
    'Nov 27, 2026 12:00 PM',
    '46353.5',
  ])
    assert.deepEqual(read(text), { value: '2026-11-27', note: 'Only the day was stored.' }, text)
})

test('the column decides between day and month', () => {
  assert.equal(read('03/04/2026', 'dmy').value, '2026-04-03')
  assert.equal(read('03/04/2026', 'mdy').value, '2026-03-04')
  assert.equal(read('03.04.2026', 'mdy').value, '2026-03-04')
  assert.equal(read('26/09/2025 00:00', 'dmy').value, '2025-09-26')
  assert.equal(read('11/3/26 3:45 PM', 'mdy').value, '2026-11-03')
  assert.match(read('03/04/2026').error ?? '', /order of day and month is ambiguous/)
  assert.match(read('13/01/2020', 'mdy').error ?? '', /does not exist in the order/)
})

test('what is no day stays blank', () => {
  for (const text of ['soon', '2026-02-30', '31.02.2026', '32/13/2026', '2026', '12', '1'.repeat(1000)])
    assert.match(read(text).error ?? '', /must be a date|order/, text)
  for (const text of ['Nov 2026', '2026-11', '11/2026', '10-Feb'])
    assert.match(read(text).error ?? '', /A month is not enough/, text)
})

const orderOf = (cells: string[]) => {
  const evidence = new DateEvidence()
  for (const cell of cells) evidence.add(cell)
  return evidence.order()
}

test('the order comes from all dates of a column', () => {
  assert.deepEqual(orderOf(['03/04/2026', '13/01/2020']), { order: 'dmy', isOpen: false })
  assert.deepEqual(orderOf(['03/04/2026', '01/13/2020']), { order: 'mdy', isOpen: false })
  assert.deepEqual(orderOf(['03/04/2026', '04/05/2026']), { order: null, isOpen: true })
  assert.deepEqual(orderOf(['03.04.2026', '04.05.2026']), { order: 'dmy', isOpen: false })
  assert.deepEqual(orderOf(['2026-03-04', '5 May 2026']), { order: null, isOpen: false })
  assert.deepEqual(
    orderOf(['13/01/2020', '14/01/2020', '01/15/2020']),
    { order: 'dmy', isOpen: true },
    'the majority',
  )
  assert.deepEqual(orderOf(['13/01/2020', '01/15/2020']), { order: null, isOpen: true })
  assert.deepEqual(orderOf(['98-11-27']), { order: 'ymd', isOpen: false })
})

test('a column in one order is read back, if one of its days is after the 12th', () => {
  const day = fc.date({ min: new Date('1970-01-01'), max: new Date('2069-12-31'), noInvalidDate: true })
  const write = (date: string, order: 'dmy' | 'mdy', sign: string) => {
    const [year, month, ofMonth] = date.split('-')
    return [...(order === 'dmy' ? [ofMonth, month] : [month, ofMonth]), year].join(sign)
  }
  fc.assert(
    fc.property(
      fc.array(day, { minLength: 1 }),
      fc.constantFrom('dmy', 'mdy'),
      fc.constantFrom('/', '-'),
      (dates, order, sign) => {
        const days = ['2001-02-20', ...dates.map((date) => date.toISOString().slice(0, 10))]
        const cells = days.map((date) => write(date, order, sign))
        assert.deepEqual(
          cells.map((cell) => read(cell, orderOf(cells).order).value),
          days,
        )
      },
    ),
  )
})

test('years, and the years of dates', () => {
  const year = (text: string) => readYear(text, 'founded_year').value
  for (const [text, value] of [
    ['2012', 2012],
    ['2012-05-01', 2012],
    ['01.05.1999', 1999],
    ['12/10/2022', 2022],
    ['2015.0', 2015],
    ['2,015', 2015],
    ['Winter 2012', 2012],
    ['founded in 1887', 1887],
    ['2100', 2100],
    ['2500', undefined],
    ['987', undefined],
    ['12', undefined],
    ["'98", undefined],
    ['36526', undefined],
    ['soon', undefined],
  ] as const)
    assert.equal(year(text), value, text)
  assert.equal(readYear('2012', 'founded_year').note, undefined)
  assert.equal(readYear('2012-05-01', 'founded_year').note, undefined)
  assert.match(readYear('Winter 2012', 'founded_year').note ?? '', /Only the year/)
  assert.match(readYear('2012, again 2016', 'founded_year').note ?? '', /first of several/)
})
