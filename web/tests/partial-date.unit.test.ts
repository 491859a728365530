import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePartialDate } from '#web/format/partial-date.ts'

const both = (text: string) => [parsePartialDate(text, 'first'), parsePartialDate(text, 'last')]

test('a year or a month stands for its first or last day', () => {
  for (const [text, first, last] of [
    ['2021', '2021-01-01', '2021-12-31'],
    ['03/2021', '2021-03-01', '2021-03-31'],
    ['2/2024', '2024-02-01', '2024-02-29'],
    ['2023-02', '2023-02-01', '2023-02-28'],
    ['12.2021', '2021-12-01', '2021-12-31'],
    ['March 2021', '2021-03-01', '2021-03-31'],
    ['sept. 2020', '2020-09-01', '2020-09-30'],
  ] as const)
    assert.deepEqual(both(text), [first, last], text)
})

test('a whole day stays as it is, and what is no date is refused', () => {
  for (const text of ['2021-03-05', '5.3.2021', ' 05. 03. 2021', 'March 5, 2021', '5 Mar 2021'])
    assert.deepEqual(both(text), ['2021-03-05', '2021-03-05'], text)
  assert.deepEqual(both('  '), [null, null])
  // The order of day and month is not known.
  for (const text of [
    '03/05/2021',
    '2021-02-30',
    '13/2021',
    '0/2021',
    '21',
    'M 2021',
    'Maybe 2021',
    'soon',
    '0021',
  ])
    assert.deepEqual(both(text), [undefined, undefined], text)
})
