import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { userWithRole } from '#src/testing/credentials.ts'
import { recordPresence } from './create.ts'
import { promoteFirstAdmins } from './first-admins.ts'
import { changeAccessWithin } from './user-access.ts'

let api: TestApp
before(async () => {
  api = await testApp({ ENFORCE_ROLES: 'true', ADMIN_EMAILS: 'Root@example.com' })
})
after(() => api.close())

const as = (name: string) => ({ headers: { 'x-user-email': `${name}@example.com` } })
const patch = (email: string, body: object, by = 'root') =>
  api.call('PATCH', `/api/users/${email}`, body, as(by))

test('the last admin can neither be demoted nor disabled', async () => {
  for (const change of [{ role: 'partner' }, { disabled: true }]) {
    const refused = await patch('root@example.com', change)
    assert.equal(refused.status, 409)
    assert.match(refused.body.details, /root@example\.com is the last admin/)
  }
  for (const name of ['third', 'fourth']) {
    await userWithRole(api, `${name}@example.com`, 'admin')
    assert.equal((await api.call('GET', '/api/auth/me', undefined, as(name))).status, 200)
  }
  assert.equal((await patch('root@example.com', { role: 'member' }, 'third')).status, 200)
  const each = (by: string, other: string) => patch(`${other}@example.com`, { role: 'member' }, by)
  const both = await Promise.all([each('third', 'fourth'), each('fourth', 'third')])
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409])
  const left = both[0]?.status === 200 ? 'third' : 'fourth'
  assert.equal((await patch('root@example.com', { role: 'admin' }, left)).status, 200)
  assert.equal((await patch(`${left}@example.com`, { role: 'member' })).status, 200)
})

test('an admin who has never signed in is not another admin, unless ADMIN_EMAILS names them', async () => {
  const typo = 'thrid@example.com'
  assert.equal((await patch(typo, { role: 'admin' })).status, 200)
  for (const change of [{ role: 'member' }, { disabled: true }]) {
    const refused = await patch('root@example.com', change)
    assert.equal(refused.status, 409)
    assert.match(refused.body.details, /thrid@example\.com must sign in first/)
  }
  await userWithRole(api, 'fifth@example.com', 'admin')
  // Fifth is making the change, so they can sign in. Root counts too, as one of ADMIN_EMAILS.
  assert.equal((await patch('root@example.com', { role: 'member' }, 'fifth')).status, 200)
  await promoteFirstAdmins(api.context)
  assert.equal((await patch('fifth@example.com', { role: 'member' }, 'fifth')).status, 200)
  await api.call('GET', '/api/auth/me', undefined, { headers: { 'x-user-email': typo } })
  assert.equal((await patch('root@example.com', { role: 'member' })).status, 200)
  assert.equal((await patch('root@example.com', { role: 'admin' }, 'thrid')).status, 200)
  assert.equal((await patch(typo, { role: 'member' })).status, 200)
})

test('an admin who signed in once but no longer may does not count as another admin', async () => {
  const outside = 'admin@former.example'
  await userWithRole(api, outside, 'admin')
  await recordPresence(api.context.db, outside)
  const settings = { allowedDomains: ['example.com'], allowedEmails: [], adminEmails: [] }
  const demote = (allowedDomains: string[]) =>
    api.context.db.transaction().execute(async (transaction) => {
      const change = { role: 'member' }
      await changeAccessWithin(transaction, 'root@example.com', change, { ...settings, allowedDomains })
      throw new Error('rolled back')
    })
  await assert.rejects(demote(['example.com']), /is the last admin who can sign in/)
  await assert.rejects(demote(['example.com', 'former.example']), /rolled back/)
  assert.equal((await patch(outside, { role: 'member' })).status, 200)
})
