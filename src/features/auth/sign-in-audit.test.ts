import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Browser, HTML } from '#dev/browser.ts'
import { userWithRole } from '#src/testing/credentials.ts'
import { accounts, service, signIn, startBeforeTests } from './sign-in.fixture.ts'

startBeforeTests()

/** The audit entries, oldest first, without ids, times and request ids. */
async function audited(): Promise<unknown[][]> {
  const { audit, sessions } = service.api.context
  await audit.flush()
  const email = await userWithRole(service.api, 'root@example.com', 'admin')
  const token = await sessions.sign({ sub: 'root', email })
  const headers = { authorization: `Bearer ${token}`, 'x-forwarded-proto': 'https' }
  const { body } = await service.api.call('GET', '/api/audit', undefined, { headers })
  return body.data.toReversed().map(({ event, user_email, address, details }: Record<string, unknown>) => {
    assert.match(String(address), /127\.0\.0\.1|::1/)
    return [event, user_email, details]
  })
}

test('sign-ins, refused ones with their reason, and sign-outs are recorded', async () => {
  const browser = new Browser()
  const home = await signIn(browser, 'ada', service, '/api/auth/idp', /\/home$/)
  assert.equal(home.status, 302)
  await browser.visit(`${service.url}/api/auth/logout`, { method: 'POST', headers: HTML })
  const refused = await signIn(new Browser(), 'eve')
  assert.equal(refused.status, 403)
  const other = await new Browser().visit(`${service.url}/api/auth/idp?state=x&code=y`)
  assert.equal(other.status, 400)
  const started =
    'This sign-in was started in another browser, was already used, or took longer than ten minutes. Sign in again.'
  const evil = String(accounts.find(({ sub }) => sub === 'eve')?.email)
  assert.deepEqual(await audited(), [
    ['signed_in', 'ada@example.com', {}],
    ['signed_out', 'ada@example.com', {}],
    ['sign_in_refused', evil, { reason: `The email address ${evil} may not sign in here.` }],
    ['sign_in_refused', null, { reason: started }],
  ])
})
