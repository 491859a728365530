import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { createUser } from './create.ts'
import { foldUserName, userReferences } from './store.ts'

let api: TestApp
before(async () => {
  api = await testApp()
})
after(() => api.close())

test('users are found by address, and by name unless they are disabled', async () => {
  const { db } = api.context
  await createUser(db, 'zoe@example.com', { name: 'Zoë  Vance' })
  await createUser(db, 'zoe.old@example.com', { name: 'Zoe Vance' })
  await createUser(db, 'zoe.other@example.com', { name: 'ZOE VANCE' })
  await db
    .updateTable('users')
    .set({ disabled_at: new Date() })
    .where('email', '=', 'zoe.old@example.com')
    .execute()
  const { emails, byName } = await userReferences(db)
  for (const email of ['zoe@example.com', 'zoe.old@example.com']) assert.ok(emails.has(email))
  assert.deepEqual(byName.get(foldUserName('zoë vance'))?.toSorted(), [
    'zoe.other@example.com',
    'zoe@example.com',
  ])
})
