import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { PRODUCTION } from '#src/testing/settings.ts'
import { type MailService, mailService } from './mail.fixture.ts'

let service: MailService
let nordlys: string
before(async () => {
  service = await mailService({ ...PRODUCTION, ENFORCE_ROLES: 'true', WORKER: 'off' })
  const { db } = service.context
  nordlys = 'cmp_01jw3f8x5zfq2v5n6k7m8p9r0s'
  await sql`insert into companies (id, name, status, created_at, updated_at) values (${nordlys}, 'Nordlys', 'new', now(), now())`.execute(
    db,
  )
  await service.user('ben@example.com')
})
after(() => service.close())

const browser = { accept: 'text/html,application/xhtml+xml' }
const ofProxy = { headers: { host: 'deals.example.com' } }

/** The address in a header of a mail, without the origin. */
async function addressFor(email: string, kind: string): Promise<string> {
  await service.user(email)
  await service.notify(email, { kind, company: nordlys })
  const [mail] = await service.deliver()
  assert.equal(mail?.headers['list-unsubscribe-post'], 'List-Unsubscribe=One-Click')
  const [, address = ''] =
    /^<https:\/\/deals\.example\.com(\/[^>]+)>$/.exec(mail?.headers['list-unsubscribe'] ?? '') ?? []
  assert.match(address, /^\/api\/notifications\/unsubscribe\/\w{32,}\?kind=\w+$/)
  assert.ok(mail?.text.includes(address) && mail.html.includes(address), 'people see it too')
  return address
}

const settingsOf = async (email: string) => {
  const { rows } = await sql<{ mail: object }>`
    select mail from notification_settings where user_email = ${email}`.execute(service.context.db)
  return rows[0]?.mail
}

test('one click in a mail program ends mail of a kind, without signing in', async () => {
  const ada = 'ada@example.com'
  const address = await addressFor(ada, 'assigned')
  const click = () =>
    service.call('POST', address, undefined, {
      headers: { ...ofProxy.headers, 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'List-Unsubscribe=One-Click',
    })
  for (const { status, body } of [await click(), await click()])
    assert.deepEqual([status, body], [200, { data: { kinds: ['assigned'] } }])
  assert.deepEqual(await settingsOf(ada), { assigned: 'off' })
  await service.notify(ada, { company: nordlys })
  await service.notify(ada, { kind: 'mentioned', company: nordlys })
  assert.equal((await service.deliver()).length, 1, 'other kinds are still mailed')
  const form = { ...ofProxy.headers, 'content-type': 'multipart/form-data; boundary=x' }
  const multipart =
    '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n'
  assert.equal(
    (await service.call('POST', address, undefined, { headers: form, payload: multipart })).status,
    200,
  )
})

test('opening the address asks with a button, and changes nothing', async () => {
  const ben = 'bea@example.com'
  const address = await addressFor(ben, 'mentioned')
  const headers = { ...ofProxy.headers, ...browser }
  const page = await service.call('GET', address, undefined, { headers })
  assert.equal(page.status, 200)
  assert.match(page.body, /<form method="post"><button type="submit">Stop mail about notes that mention you/)
  assert.match(String(page.headers['content-security-policy']), /default-src 'none'.*form-action 'self'/)
  assert.equal(page.headers['cache-control'], 'no-store')
  assert.deepEqual(await settingsOf(ben), {})
  const own = { ...headers, origin: 'https://deals.example.com' }
  const done = await service.call('POST', address, undefined, { headers: own })
  assert.equal(done.status, 200)
  assert.match(done.body, /You no longer get mail about notes that mention you/)
  assert.deepEqual(await settingsOf(ben), { mentioned: 'off' })
})

test('the address of a digest ends all kinds that it contains; without a kind, it ends all mail', async () => {
  const carl = 'carl@example.com'
  const [address = ''] = (await addressFor(carl, 'assigned')).split('?')
  await service.set(carl, { mail: { deal_moved: 'now', mentioned: 'digest' } })
  const { body } = await service.call('POST', `${address}?kind=digest`, undefined, ofProxy)
  assert.deepEqual(body.data.kinds.toSorted(), [
    'mentioned',
    'note_added',
    'task_due',
    'task_overdue',
    'view_has_new',
  ])
  const all = await service.call('POST', address, undefined, ofProxy)
  assert.ok(all.body.data.kinds.includes('deal_moved'))
  for (const kind of ['deal_moved', 'assigned', 'note_added'])
    await service.notify(carl, { kind, company: nordlys })
  assert.deepEqual(await service.deliver(), [])
})

test('an unknown token is a 404, as a page and as JSON, and a wrong kind a 400', async () => {
  const address = '/api/notifications/unsubscribe/unknown?kind=assigned'
  for (const method of ['GET', 'POST'] as const) {
    const json = await service.call(method, address, undefined, ofProxy)
    assert.deepEqual([json.status, json.body.error], [404, 'Not found'])
    const page = await service.call(method, address, undefined, {
      headers: { ...ofProxy.headers, ...browser },
    })
    assert.equal(page.status, 404)
    assert.match(page.body, /This address to unsubscribe is not valid/)
  }
  const wrong = await service.call('GET', '/api/notifications/unsubscribe/x?kind=none', undefined, ofProxy)
  assert.equal(wrong.status, 400)
  assert.match(wrong.body.details, /kind/)
})

test('those who may no longer sign in get no mail', async () => {
  const guest = await service.user('guest@elsewhere.example')
  await service.notify(guest, { company: nordlys })
  assert.deepEqual(await service.deliver(), [])
  const mail = (await service.mails()).find(({ user_email }) => user_email === guest)
  assert.deepEqual([mail?.isSent, mail?.isWaiting, mail?.error], [false, false, null])
})

test('guessing tokens is limited', async () => {
  const limited = await mailService({ ...PRODUCTION, RATE_LIMIT_STANDARD: '3' })
  try {
    const statuses = []
    for (let index = 0; index < 5; index++)
      statuses.push(
        (await limited.call('POST', `/api/notifications/unsubscribe/x${index}`, undefined, ofProxy)).status,
      )
    assert.deepEqual(statuses, [404, 404, 404, 429, 429])
  } finally {
    await limited.close()
  }
})
