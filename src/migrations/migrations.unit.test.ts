import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DESCRIPTIONS } from './descriptions.ts'
import { migrations } from './migrations.ts'

test('migrations are forward only, and run in the order in which they are listed', () => {
  const names = Object.keys(migrations)
  assert.deepEqual(names, names.toSorted())
  for (const [name, migration] of Object.entries(migrations))
    assert.ok(!('down' in migration), `${name} must not have a down: to go back is to restore a backup`)
})

test('each migration is described by one sentence', () => {
  assert.deepEqual(Object.keys(DESCRIPTIONS), Object.keys(migrations))
  for (const [name, { text }] of Object.entries(DESCRIPTIONS))
    assert.match(text, /^[A-Z][^.\n]{5,90}\.$/, name)
})
