import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorsOf, groupProblems, splitWarnings } from '#web/screens/import/components/report/problems.ts'
import { isRepeated } from '#web/screens/import/components/report/repeated-fields.ts'
import { type ImportReport, withAllLists } from '#web/screens/import/components/report/report.ts'
import { listAsCsv } from '#web/screens/import/components/report/report-lists.ts'
import { tabCounts } from '#web/screens/import/components/report/report-tabs.ts'
import { openCell, readDay, readingsOf } from '#web/screens/import/components/steps/readings.ts'
import { explainNoChanges } from '#web/screens/import/no-changes.ts'

/** A report as the first version of the service stored it. */
const OLD = {
  ...{ action_id: 'ax_1', created: 2, updated: 0, unchanged: 1, trashed: 0, restored: 0, failed: 1 },
  errors: [{ row: 4, column: 'Staff', message: 'employee_count must be a whole number.' }],
  ...{ errors_omitted: 0, stopped_at_row: null, columns: { name: ['Firm'] }, ignored_columns: [] },
  ...{ new_fields: [], dry_run: false },
} as unknown as ImportReport

test('a report of an earlier version has its errors, and empty lists for newer parts', () => {
  const report = withAllLists(OLD)
  assert.deepEqual(
    [...tabCounts(report, undefined)],
    [
      ['created', 2],
      ['changes', 0],
      ['unchanged', 1],
      ['errors', 1],
    ],
  )
  assert.deepEqual(errorsOf(report), [
    {
      ...{ row: 4, column: 'Staff', name: '', value: null },
      message: 'employee_count must be a whole number.',
    },
  ])
})

test('an error that names a field belongs to the field’s column, so that the cell can be edited', () => {
  const file = { columns: [{ name: 'Firm', field: 'name', samples: [] }] }
  const error = { row: 2, column: 'name', value: '-', name: null, message: 'name is required.' }
  assert.deepEqual(errorsOf({ ...OLD, errors: [error], file } as unknown as ImportReport), [
    { row: 2, column: 'Firm', value: '-', name: '', message: 'name is required.' },
  ])
})

test('problems of one kind are one group, with the count of those that are not listed', () => {
  const of = (row: number, column: string, message: string) => ({
    row,
    column,
    message,
    name: '',
    value: 'x',
  })
  const groups = groupProblems(
    [of(2, 'Staff', 'No number.'), of(3, 'Web', 'No address.'), of(9, 'Staff', 'No number.')],
    [
      {
        ...{ column: 'Staff', message: 'No number.', left_blank: true },
        ...{ count: 188, examples: [{ row: 2, value: 'x' }] },
      },
      {
        ...{ column: 'Web', message: 'Placeholders were left blank.', left_blank: false },
        ...{ count: 400, examples: [{ row: 5, value: '-' }] },
      },
    ],
  )
  assert.deepEqual(
    groups.map(({ column, count, problems, examples }) => [column, count, problems.length, examples.length]),
    [
      ['Staff', 188, 2, 0],
      ['Web', 1, 1, 0],
      ['Web', 400, 0, 1],
    ],
  )
})

test('problems of one column are together, those of the column with the largest group first', () => {
  const warning = { left_blank: true, examples: [] }
  const groups = groupProblems(
    [],
    [
      { ...warning, column: 'Web', message: 'No address.', count: 5 },
      { ...warning, column: 'Staff', message: 'No number.', count: 9 },
      { ...warning, column: 'Staff', message: 'A date.', count: 1 },
    ],
  )
  assert.deepEqual(
    groups.map(({ column, count }) => [column, count]),
    [
      ['Staff', 9],
      ['Staff', 1],
      ['Web', 5],
    ],
  )
})

test('errors that differ by the cell alone are of one kind', () => {
  const errors = ['-', 'n/a'].map((value, row) => ({
    ...{ row, column: 'Firm', value, name: null },
    message: `name is required; the cell has "${value}".`,
  }))
  const [group, ...others] = groupProblems(errorsOf({ ...OLD, errors } as unknown as ImportReport))
  assert.deepEqual([group?.message, group?.count, others], ['name is required.', 2, []])
})

test('a date is read in each order that gives a day', () => {
  for (const [cell, dmy, mdy, ymd] of [
    ['03/04/2026', '2026-04-03', '2026-03-04', null],
    ['27.11.26', '2026-11-27', null, null],
    ['2026-02-30', null, null, null],
    ['soon', null, null, null],
  ] as const)
    assert.deepEqual(
      [readDay(cell, 'dmy'), readDay(cell, 'mdy'), readDay(cell, 'ymd')],
      [dmy, mdy, ymd],
      cell,
    )
})

test('the import asks about a cell only if it can be read in several ways', () => {
  assert.deepEqual(
    readingsOf('decimal', '850.000').map(({ value }) => value),
    [850_000, 850],
  )
  assert.deepEqual(
    readingsOf('decimal', '€ 1,250').map(({ value }) => value),
    [1.25, 1250],
  )
  assert.deepEqual(
    readingsOf('date_order', '03/04/2026').map(({ choice }) => choice),
    [{ date_order: 'dmy' }, { date_order: 'mdy' }],
  )
  for (const cell of ['7', '$2.4M', '1.200.000', '0.125', '12,5', '12 500,5 zł', 'soon'])
    assert.deepEqual(readingsOf('decimal', cell), [], cell)
  assert.equal(openCell('decimal', ['$2.4M', '€ 64.125', '850.000']), '€ 64.125')
  assert.deepEqual([readingsOf('decimal', '7'), readingsOf('date_order', '27/11/2026')], [[], []])
  assert.deepEqual(readingsOf('currency', '850.000'), [])
})

test('a downloaded list opens as text in spreadsheets: with a byte order mark, quoted, and without formulas', () => {
  assert.equal(
    listAsCsv([
      ['row', 'value'],
      [2, '=HYPERLINK("x")'],
      [3, -5],
      [4, '-5'],
      [5, 'a;b'],
      [6, null],
    ]),
    '\ufeffrow,value\r\n2,"\'=HYPERLINK(""x"")"\r\n3,-5\r\n4,\'-5\r\n5,"a;b"\r\n6,',
  )
})

test('cells that need no repair are distinguished from unreadable ones, even if those are not listed', () => {
  const unreadable = { column: 'Staff', message: 'No number.', left_blank: true, count: 2, examples: [] }
  const unlisted = { ...unreadable, column: 'Year' }
  const note = { ...unreadable, column: 'Web', message: 'A path was removed.', left_blank: false, count: 400 }
  const bad_cells = [{ row: 2, name: 'Aspen', column: 'Staff', value: 'soon', message: 'No number.' }]
  const report = withAllLists({
    ...OLD,
    warnings: [note, unreadable, unlisted],
    bad_cells,
    bad_cells_omitted: 3,
  })
  assert.deepEqual(splitWarnings(report), { unreadable: [unreadable, unlisted], notes: [note] })
  const counts = tabCounts(report, undefined)
  assert.deepEqual([counts.get('cells'), counts.get('notes')], [4, 400])
})

test('rows that an earlier version only counted are not listed', () => {
  const { new_rows_omitted, changes_omitted, unchanged_rows_omitted, trashed_rows_omitted } = withAllLists({
    ...OLD,
    trashed: 3,
  })
  assert.deepEqual(
    [new_rows_omitted, changes_omitted, unchanged_rows_omitted, trashed_rows_omitted],
    [2, 0, 1, 3],
  )
})

test('an import that changes nothing shows the reason, unless there are several', () => {
  const none = { created: 0, updated: 0, unchanged: 0, trashed: 0, restored: 0, failed: 0, left_out: 0 }
  const why = (counts: Partial<typeof none>, header_row = 1, mayRestore = true) =>
    explainNoChanges({ ...OLD, ...none, ...counts, file: { header_row } } as ImportReport, mayRestore)
  const all = 'All 5 rows are about records in the trash.'
  assert.deepEqual(why({ trashed: 5 }), { text: `${all} Choose Restore to import them.`, tab: 'trashed' })
  assert.equal(why({ trashed: 5 }, 1, false)?.text, all)
  assert.match(why({ trashed: 1, left_out: 1 })?.text ?? '', /^1 row is about a record in the trash\./)
  assert.equal(why({ unchanged: 5 })?.tab, 'unchanged')
  assert.deepEqual(why({ left_out: 2 }), { text: 'Every row is left out.', tab: 'leftOut' })
  assert.equal(why({})?.text, 'The file has no rows below the column names.')
  assert.equal(why({}, 0)?.text, 'The file has no rows.')
  for (const counts of [
    { trashed: 1, unchanged: 1 },
    { unchanged: 1, left_out: 1 },
    { failed: 1 },
    { created: 1, trashed: 4 },
    { restored: 1 },
  ])
    assert.equal(why(counts), null, JSON.stringify(counts))
})

test('a country code is not shown beside the country’s name', () => {
  const repeats = (texts: Record<string, string>) => isRepeated('country_code', (field) => texts[field] ?? '')
  assert.deepEqual(
    [
      repeats({ country: 'Germany', country_code: 'Germany' }),
      repeats({ country: 'Germany' }),
      repeats({ country_code: 'Germany' }),
      repeats({ country: 'Deutschland', country_code: 'Germany' }),
      isRepeated('country', () => 'Germany'),
    ],
    [true, true, false, false, false],
  )
})
