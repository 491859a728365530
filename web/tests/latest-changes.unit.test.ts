import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CompletedAction } from '#src/client/client.ts'
import { latestChanges } from '#web/api/live/latest-changes.ts'

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
