import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChangeEvent } from '#src/client/client.ts'
import { isAffected } from '#web/api/live/affected-queries.ts'

const event = (kind: ChangeEvent['kind'], id: string | null): ChangeEvent => ({
  ...{ kind, id, count: 1, action_id: null },
  ...{ user_email: null, at: '2026-03-02T09:30:00.000Z' },
})

test('a change of a company refetches lists and this company, and nothing that is being typed or previewed', () => {
  const affects = (...queryKey: unknown[]) => isAffected(queryKey, event('company', 'cmp_1'), null)
  assert.deepEqual(
    [affects('companies', 'list', {}), affects('companies', 'one', 'cmp_1'), affects('stats')],
    [true, true, true],
  )
  assert.deepEqual(
    [affects('companies', 'one', 'cmp_2'), affects('history', 'company', 'cmp_2')],
    [false, false],
  )
  assert.deepEqual(
    [affects('duplicates', 'check', {}), affects('actions', 'preview', 'ax_1'), affects('import-check', 1)],
    [false, false, false],
  )
})

test('an event without an id affects every record of its kind', () => {
  assert.equal(isAffected(['companies', 'one', 'cmp_2'], event('company', null), null), true)
  assert.equal(isAffected(['theses', 'one', 'th_1'], event('company', null), null), true)
})

test('a deal refetches the matches of theses, and not their reports', () => {
  const affects = (...queryKey: unknown[]) => isAffected(queryKey, event('deal', 'df_1'), null)
  assert.deepEqual(
    [affects('theses', 'matches', 'th_1', {}), affects('theses', 'one', 'th_1'), affects('theses', 'list')],
    [true, false, false],
  )
})

test('who follows a record may change with the record, and with what is written about it or assigned', () => {
  const affected = (kind: ChangeEvent['kind'], id: string) =>
    isAffected(['follows', 'company', 'cmp_1'], event(kind, id), null)
  assert.deepEqual(
    [affected('company', 'cmp_1'), affected('company', 'cmp_2'), affected('deal', 'cmp_1')],
    [true, false, false],
  )
  assert.deepEqual(
    [affected('note', 'note_1'), affected('task', 'tsk_1'), affected('tag', 'x')],
    [true, true, false],
  )
})

test('a found or dismissed pair refetches the list of pairs, but not an open comparison', () => {
  const affects = (...queryKey: unknown[]) => isAffected(queryKey, event('duplicate', 'dup_1'), null)
  assert.deepEqual(
    [affects('duplicates', 'list', {}), affects('duplicates', 'merge', 'cmp_1', []), affects('companies')],
    [true, false, false],
  )
})

test('only a change to the signed-in user refetches the signed-in user', () => {
  assert.equal(isAffected(['me'], event('user', 'ada@example.com'), 'ada@example.com'), true)
  assert.equal(isAffected(['me'], event('user', 'bob@example.com'), 'ada@example.com'), false)
})
