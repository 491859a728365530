import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dueGroup, formatDue } from '#web/tasks/due.ts'
import { withFinished } from '#web/tasks/with-finished.ts'

const TODAY = '2026-03-02'
const on = (due_on: string | null) => ({ due_on, due_at: null })
const at = (due_at: string) => ({ due_on: null, due_at: new Date(due_at).toISOString() })
const NOON = new Date(`${TODAY}T12:00:00`).getTime()

test('tasks are grouped by the day that they are due, and by the time', () => {
  const groups = [
    [on('2026-03-01'), 'overdue'],
    [on(TODAY), 'today'],
    [on('2026-03-03'), 'week'],
    [on('2026-03-09'), 'week'],
    [on('2026-03-10'), 'later'],
    [on(null), 'none'],
    [at(`${TODAY}T11:59:00`), 'overdue'],
    [at(`${TODAY}T12:01:00`), 'today'],
    [at('2026-03-03T00:00:00'), 'week'],
  ] as const
  for (const [due, group] of groups) assert.equal(dueGroup(due, TODAY, NOON), group, JSON.stringify(due))
})

test('due dates are as short as they can be', () => {
  assert.equal(formatDue(on('2026-03-01'), TODAY), 'Yesterday')
  assert.equal(formatDue(on(TODAY), TODAY), 'Today')
  assert.equal(formatDue(on('2026-03-03'), TODAY), 'Tomorrow')
  assert.equal(formatDue(on('2026-03-08'), TODAY), 'Sun')
  assert.equal(formatDue(on('2026-03-09'), TODAY), 'Mar 9')
  assert.equal(formatDue(on('2027-01-05'), TODAY), 'Jan 5, 2027')
  assert.match(formatDue(at('2026-03-03T15:00:00'), TODAY) ?? '', /^Tomorrow, 3:00\sPM$/)
  assert.equal(formatDue(on(null), TODAY), null)
})

test('what was finished stays at its place until it is open again', () => {
  const task = (id: string, due_on: string | null, done_at: string | null = null) =>
    ({ id, due_on, due_at: null, done_at }) as Parameters<typeof withFinished>[0][number]
  const open = [task('a', '2026-03-01'), task('c', '2026-03-05'), task('d', null)]
  const finished = new Map([
    ['b', task('b', '2026-03-03', '2026-03-02T10:00:00Z')],
    ['c', task('c', '2026-03-05', '2026-03-02T10:00:00Z')],
    ['e', task('e', null, '2026-03-02T10:00:00Z')],
    ['f', task('f', '2026-03-01')],
  ])
  assert.deepEqual(
    withFinished(open, finished).map(({ id }) => id),
    ['a', 'b', 'c', 'd', 'e'],
  )
})
