import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CompletedAction } from '#src/client/client.ts'
import { latestChanges, type RecordedAction } from '#web/api/live/latest-changes.ts'

const add = (id: string, operation: string, done: object = {}) =>
  latestChanges.add({ id, operation, input: {}, output: { data: {} }, ...done } as CompletedAction)
const addUndo = (id: string, undone: string) =>
  add(id, 'undoAction', { input: { params: { id: undone } }, output: { data: { reverted: 1 } } })
const last = () => latestChanges.last()?.id

test('the latest change stays until it is undone, and a change that was redone is the latest again', () => {
  add('a', 'updateCompany')
  add('b', 'updateCompany')
  assert.equal(last(), 'b')
  assert.equal(last(), 'b')
  addUndo('undo b', 'b')
  assert.equal(last(), 'a')
  addUndo('redo b', 'undo b')
  assert.equal(last(), 'redo b')
  addUndo('undo b again', 'redo b')
  assert.equal(last(), 'a')
  latestChanges.remove('a')
  assert.equal(last(), undefined)
})

test('a change without an action keeps its position among the others, and stays if it cannot be undone', async () => {
  add('a', 'updateCompany')
  let isDown = true
  latestChanges.addWithoutAction(async () => {
    if (isDown) throw new Error('The service is down.')
  })
  await assert.rejects(async () => latestChanges.last()?.undo?.())
  isDown = false
  assert.notEqual(last(), 'a')
  await latestChanges.last()?.undo?.()
  assert.equal(last(), 'a')
  latestChanges.remove('a')
})

test('imports and changes of several records are large', () => {
  const isLarge = (operation: string, done: object) => {
    add('id', operation, done)
    return latestChanges.last()?.isLarge
  }
  assert.equal(isLarge('updateCompany', {}), false)
  assert.equal(isLarge('updateCompanies', { output: { data: { updated: 1 } } }), false)
  assert.equal(isLarge('deleteCompanies', { input: { body: { ids: ['cmp_1'] } } }), false)
  assert.equal(isLarge('updateCompanies', { output: { data: { updated: 2 } } }), true)
  assert.equal(isLarge('deleteCompanies', { input: { body: { ids: ['cmp_1', 'cmp_2'] } } }), true)
  assert.equal(isLarge('deleteCompanies', { input: { body: { search: 'an', expect: 120 } } }), true)
  assert.equal(isLarge('importCompanies', {}), true)
  assert.equal(isLarge('mergeCompanies', { input: { body: { from: ['cmp_1'] } } }), false)
  assert.equal(isLarge('mergeCompanies', { input: { body: { from: ['cmp_1', 'cmp_2'] } } }), true)
})

test('after a reload, the latest recent action of the user that can be undone is the latest change', () => {
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
  const action = (id: string, fields: Partial<RecordedAction> = {}) =>
    ({
      id,
      kind: 'update',
      records: 1,
      undoable: true,
      created_at: minutesAgo(1),
      ...fields,
    }) as RecordedAction
  const undone = action('undone', { undoable: false })
  const undo = action('undo', { kind: 'undo' })
  assert.deepEqual(latestChanges.lastOf([undo, undone, action('one')]), { id: 'one', isLarge: false })
  assert.deepEqual(latestChanges.lastOf([action('two', { records: 2 })]), { id: 'two', isLarge: true })
  assert.equal(latestChanges.lastOf([action('import', { kind: 'import' })])?.isLarge, true)
  assert.equal(latestChanges.lastOf([action('old', { created_at: minutesAgo(60) })]), undefined)
  // An undo without effect leaves its action undoable.
  addUndo('undo one', 'one')
  assert.equal(latestChanges.lastOf([action('one')]), undefined)
  latestChanges.remove('refused')
  assert.equal(latestChanges.lastOf([action('refused'), action('earlier')])?.id, 'earlier')
})
