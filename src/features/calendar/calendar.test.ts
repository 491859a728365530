import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { pino } from 'pino'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { userWithRole } from '#src/testing/credentials.ts'
import { eventually } from '#src/testing/eventually.ts'
import { type Component, parseCalendar } from './calendar.fixture.ts'

const DAY_MS = 86_400_000
const dayIn = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)
const as = (email: string) => ({ headers: { 'x-user-email': email } })
const [ada, ben, zoe] = ['ada@example.com', 'ben@example.com', 'zoe@example.com']

let api: TestApp
before(async () => {
  api = await testApp({ EMBEDDINGS: 'off' })
  for (const email of [ada, ben, zoe]) await userWithRole(api, email, 'member')
})
after(() => api.close())

const post = async (url: string, body: object, email = ada) => {
  const answer = await api.call('POST', url, body, as(email))
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body.data
}
/** The path of a new address. */
async function newAddress(email: string): Promise<string> {
  const { url } = await post('/api/calendar', {}, email)
  assert.match(url, /^http:\/\/localhost:\d+\/api\/calendar\/[\w-]{32}\.ics$/)
  return new URL(url).pathname
}
/** Reads an address as a calendar program does: without a user. */
const read = (path: string, headers: Record<string, string> = {}) =>
  api.app.inject({ url: path, headers: { host: 'localhost', ...headers } })
async function eventsAt(path: string): Promise<Component[]> {
  const { statusCode, headers, body } = await read(path)
  assert.equal(statusCode, 200, body)
  assert.equal(headers['content-type'], 'text/calendar; charset=utf-8')
  return parseCalendar(body).events
}
const newTask = (task: object, email = ada) => post('/api/tasks', { title: 'Call', ...task }, email)
const eventOf = (events: Component[], id: string) =>
  events.find(({ UID }) => UID?.value.startsWith(id)) ?? assert.fail(`no event of ${id}`)

test('the address is shown once, replaced, and revoked, and the old one is a 404', async () => {
  const get = async () => (await api.call('GET', '/api/calendar', undefined, as(ada))).body.data
  assert.deepEqual(await get(), { url: null, created_at: null, last_read_at: null })
  assert.equal((await api.call('DELETE', '/api/calendar', undefined, as(ada))).status, 204)
  const first = await newAddress(ada)
  const { url, created_at, last_read_at } = await get()
  assert.deepEqual([url, last_read_at], [null, null])
  assert.ok(Math.abs(Date.parse(created_at) - Date.now()) < 60_000)
  await eventsAt(first)
  assert.ok(Math.abs(Date.parse((await get()).last_read_at) - Date.now()) < 60_000)
  const second = await newAddress(ada)
  assert.equal((await get()).last_read_at, null)
  assert.equal((await read(first)).statusCode, 404)
  await eventsAt(second)
  const { rows } = await sql<{ row: string }>`select calendar_feeds::text as row from calendar_feeds`.execute(
    api.context.db,
  )
  assert.ok(!rows.some(({ row }) => row.includes(second.slice(-36, -4))))
  assert.equal((await api.call('DELETE', '/api/calendar', undefined, as(ada))).status, 204)
  assert.equal((await read(second)).statusCode, 404)
})

test('other addresses are a 404 that says nothing, and the user must be known', async () => {
  const path = await newAddress(ada)
  const { body } = await read('/api/calendar/x.ics')
  for (const other of [path.slice(0, -4), path.replace('.ics', '.ICS'), '/api/calendar/.ics', `${path}x`]) {
    const answer = await read(other)
    assert.deepEqual([answer.statusCode, answer.body], [404, body], other)
  }
  for (const method of ['GET', 'POST', 'DELETE'] as const) {
    const answer = await api.app.inject({ method, url: '/api/calendar', headers: { host: 'localhost' } })
    assert.equal(answer.statusCode, 401, method)
  }
})

test('creation and revocation are audited without the secret', async () => {
  const path = await newAddress(ben)
  await api.call('DELETE', '/api/calendar', undefined, as(ben))
  const { rows } = await sql<{ event: string; details: object }>`
    select event, details from audit_entries where user_email = ${ben} order by id desc limit 2`.execute(
    api.context.db,
  )
  assert.deepEqual(rows, [
    { event: 'calendar_revoked', details: { user_email: ben } },
    { event: 'calendar_created', details: { user_email: ben } },
  ])
  assert.ok(!JSON.stringify(rows).includes(path.slice(-36, -4)))
})

test('the request log shows the route instead of the secret', async () => {
  const lines: string[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
  const logged = await testApp({ EMBEDDINGS: 'off' }, { log })
  try {
    await logged.app.inject({ url: '/api/calendar/secret-of-someone.ics', headers: { host: 'localhost' } })
    await eventually(async () => assert.match(lines.join(''), /GET \/api\/calendar\/:file 404/))
    assert.doesNotMatch(lines.join(''), /secret-of-someone/)
  } finally {
    await logged.close()
  }
})

test('open tasks of the user are events on their day or at their time', async () => {
  const path = await newAddress(ada)
  const { id: company_id } = await post('/api/companies', { name: 'Nordlys; Robotics, AS' })
  const about = [{ type: 'company', id: company_id }]
  const onDay = await newTask({ title: 'Read the deck', due_on: dayIn(3), about })
  const due_at = `${dayIn(2)}T09:15:00+02:00`
  const atTime = await newTask({ title: 'Call', due_at })
  const others = [
    await newTask({ due_on: dayIn(1), assignee_email: ben }),
    await newTask({ title: 'Some day' }),
    await newTask({ due_on: dayIn(-91) }),
  ]
  const done = await newTask({ due_on: dayIn(1) })
  await api.call('PUT', `/api/tasks/${done.id}/done`, undefined, as(ada))
  const trashed = await newTask({ due_on: dayIn(1) })
  await api.call('DELETE', `/api/tasks/${trashed.id}`, undefined, as(ada))

  const events = await eventsAt(path)
  const day = eventOf(events, onDay.id)
  assert.equal(day.UID?.value, `${onDay.id}@deal-pipeline`)
  assert.deepEqual(day.DTSTART, { parameters: { VALUE: 'DATE' }, value: dayIn(3).replaceAll('-', '') })
  assert.equal(day.SUMMARY?.value, 'Read the deck')
  assert.match(day.DESCRIPTION?.value ?? '', /^About Nordlys; Robotics, AS\nhttp:\/\/localhost/)
  assert.match(day.URL?.value ?? '', /^http:\/\/localhost:\d+\/tasks\?task=tsk_/)
  const time = eventOf(events, atTime.id)
  const basic = (moment: number) => new Date(moment).toISOString().replaceAll(/[-:]|\.\d+/g, '')
  assert.deepEqual(time.DTSTART, { parameters: {}, value: basic(Date.parse(due_at)) })
  assert.equal(time.DTEND?.value, basic(Date.parse(due_at) + 30 * 60_000))
  for (const { id } of [...others, done, trashed])
    assert.ok(!events.some(({ UID }) => UID?.value.startsWith(id)))
})

test('companies are due to look at again for their owner and for the author of the latest decision', async () => {
  const [ofAda, ofBen] = [await newAddress(ada), await newAddress(ben)]
  const company = async (name: string, owner_email: string | null) =>
    (await post('/api/companies', { name, owner_email })).id
  let decidedOn = -100
  const decide = (company_id: string, revisit_on: string | null, email: string) =>
    post(
      '/api/decisions',
      {
        company_id,
        outcome: 'pass',
        body: 'Later',
        decided_at: `${dayIn(decidedOn++)}T08:00:00Z`,
        revisit_on,
      },
      email,
    )
  const owned = await company('Owned', ada)
  await decide(owned, dayIn(30), ben)
  const decided = await company('Decided', ben)
  await decide(decided, dayIn(40), ada)
  const replaced = await company('Replaced', null)
  await decide(replaced, dayIn(20), ada)
  await decide(replaced, dayIn(25), ben)
  const past = await company('Past', ada)
  await decide(past, dayIn(-91), ada)
  const idsAt = async (path: string) =>
    (await eventsAt(path))
      .flatMap(({ UID }) => UID?.value.match(/^(cmp_\w+)-revisit@deal-pipeline$/)?.[1] ?? [])
      .sort()
  assert.deepEqual(await idsAt(ofAda), [owned, decided].sort())
  assert.deepEqual(await idsAt(ofBen), [owned, decided, replaced].sort())
  const event = eventOf(await eventsAt(ofAda), owned)
  assert.equal(event.SUMMARY?.value, 'Look again at Owned')
  assert.deepEqual(event.DTSTART, { parameters: { VALUE: 'DATE' }, value: dayIn(30).replaceAll('-', '') })
  assert.match(event.URL?.value ?? '', new RegExp(`/companies/${owned}$`))
})

test('hostile titles stay one event, and nothing is lost of harmless ones', async () => {
  const path = await newAddress(ada)
  const titles = [
    'A\\nB; C, D: "E" \\ 100%',
    `${'é'.repeat(60)} 👩‍👩‍👧‍👦 ${'😀'.repeat(60)}`,
    'X BEGIN:VEVENT END:VCALENDAR',
    '=HYPERLINK("http://example.com")',
  ]
  for (const title of titles) {
    const { id } = await newTask({ title, due_on: dayIn(5) })
    assert.equal(eventOf(await eventsAt(path), id).SUMMARY?.value, title)
  }
  const { id } = await newTask({ title: 'Plain', due_on: dayIn(5) })
  const breaks = 'One\r\nBEGIN:VEVENT\rTwo\u2028Three\u0007\u000b'
  await sql`update tasks set title = ${breaks} where id = ${id}`.execute(api.context.db)
  assert.equal(eventOf(await eventsAt(path), id).SUMMARY?.value, 'One BEGIN:VEVENT Two Three')
})

test('the file has an ETag that stays until an entry changes', async () => {
  const path = await newAddress(ben)
  const { id } = await newTask({ due_on: dayIn(1) }, ben)
  const { headers } = await read(path)
  assert.equal(headers['cache-control'], 'private, no-cache')
  const etag = String(headers.etag)
  const same = await read(path, { 'if-none-match': etag })
  assert.deepEqual([same.statusCode, same.body, same.headers.etag], [304, '', etag])
  await api.call('PATCH', `/api/tasks/${id}`, { title: 'Call again' }, as(ben))
  const changed = await read(path, { 'if-none-match': etag })
  assert.equal(changed.statusCode, 200)
  assert.notEqual(changed.headers.etag, etag)
})

test('a calendar has at most 1,000 entries, those of the earliest days', async () => {
  const path = await newAddress(zoe)
  await sql`
    insert into tasks (id, title, due_on, assignee_email, created_at, updated_at)
    select 'tsk_' || lpad(n::text, 26, '0'), 'Task ' || n, current_date + n, ${zoe}, now(), now()
    from generate_series(1, 1005) n`.execute(api.context.db)
  const soon = await newTask({ title: 'Soon', due_at: `${dayIn(1)}T12:00:00Z` }, zoe)
  const events = await eventsAt(path)
  assert.equal(events.length, 1000)
  eventOf(events, soon.id)
  eventOf(events, `tsk_${'999'.padStart(26, '0')}`)
})

test('the address of a disabled user is a 404 until they are enabled again', async () => {
  const path = await newAddress(zoe)
  const setDisabled = (at: Date | null) =>
    sql`update users set disabled_at = ${at}, access_changed_at = clock_timestamp() where email = ${zoe}`.execute(
      api.context.db,
    )
  await setDisabled(new Date())
  await eventually(async () => assert.equal((await read(path)).statusCode, 404))
  await setDisabled(null)
  await eventually(async () => assert.equal((await read(path)).statusCode, 200))
})
