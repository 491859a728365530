import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Browser, HTML } from '#dev/browser.ts'
import { userWithRole } from '#src/testing/credentials.ts'
import { accounts, service, signIn, startBeforeTests, startService } from './sign-in.fixture.ts'

startBeforeTests()

/** The audit entries, oldest first, without ids, times and request ids. */
async function audited({ api } = service): Promise<unknown[][]> {
  const { audit, sessions } = api.context
  await audit.flush()
  const email = await userWithRole(api, 'root@example.com', 'admin')
  const token = await sessions.sign({ sub: 'root', email })
  const headers = { authorization: `Bearer ${token}`, 'x-forwarded-proto': 'https' }
  const { body } = await api.call('GET', '/api/audit', undefined, { headers })
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

test('a sign-in that the limit of the account refuses is recorded with its address', async () => {
  const limited = await startService({ RATE_LIMIT_SIGN_IN: '2' })
  try {
    for (let n = 0; n < 2; n++) await limited.api.context.limits.take('sign_in', 'account:ada@example.com')
    const refused = await signIn(new Browser(), 'ada', limited)
    assert.deepEqual([refused.status, refused.headers.get('ratelimit-remaining')], [429, '0'])
    const [[event, email]] = (await audited(limited)) as [[string, string]]
    assert.deepEqual([event, email], ['sign_in_refused', 'ada@example.com'])
  } finally {
    await limited.api.close()
  }
})
