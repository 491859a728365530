import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { COUNTERS } from '#src/counters.ts'
import { eraseUser } from '#src/features/privacy/erase.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { userWithRole } from '#src/testing/credentials.ts'
import { about, as, BEN, EVA, type Fields, peopleOf, ZOE } from './notifications.fixture.ts'
import { readNotificationTexts } from './read.ts'
import { deleteOldNotifications } from './remove.ts'

let api: TestApp
const { addUsers, catchUp, company, create, list, send, told } = peopleOf(() => api)
before(async () => {
  api = await testApp({ WORKER: 'off' })
  await addUsers()
})
after(() => api.close())

const idsOf = ({ data }: Fields): string[] => data.map(({ id }: Fields) => id)
const mark = async (how: string, body: object, email: string = BEN): Promise<Fields> =>
  (await send('POST', `/api/notifications/${how}`, body, email)).data

/** Mentions Ben in so many notes about one company. @returns the ids of the notes */
async function mention(count: number, name = 'Loomworks'): Promise<string[]> {
  const id = await company(name)
  const notes: string[] = []
  for (let n = 0; n < count; n++)
    notes.push((await create('/api/notes', { body: `Note ${n}`, about: about(id), mentions: [BEN] })).id)
  return notes
}

test('notifications are read, unread, done and put back', async () => {
  await mention(3)
  const [first, second, third] = idsOf(await list(BEN))
  assert.deepEqual(await mark('read', { ids: [first, second, first] }), { changed: 2, unread: 1 })
  assert.deepEqual(await mark('read', { ids: [first] }), { changed: 0, unread: 1 })
  assert.deepEqual(idsOf(await list(BEN, 'unread=true')), [third])
  assert.deepEqual(idsOf(await list(BEN, 'unread=false')), [first, second])
  assert.deepEqual(await mark('unread', { ids: [first] }), { changed: 1, unread: 2 })
  assert.deepEqual(await mark('done', { ids: [first] }), { changed: 1, unread: 1 })
  const inbox = await list(BEN)
  assert.deepEqual([idsOf(inbox), inbox.unread], [[second, third], 1])
  const [done] = (await list(BEN, 'done=true')).data
  assert.deepEqual([done.id, typeof done.done_at, typeof done.read_at], [first, 'string', 'string'])
  assert.deepEqual(await mark('undone', { ids: [first] }), { changed: 1, unread: 1 })
  assert.deepEqual(idsOf(await list(BEN)), [first, second, third])

  assert.deepEqual(await mark('done', { ids: [first] }, EVA), { changed: 0, unread: 0 }, 'of someone else')
  const { at } = (await list(BEN)).data[1]
  assert.deepEqual(await mark('read', { before: at }), { changed: 1, unread: 0 })
  assert.deepEqual(await mark('done', { before: new Date().toISOString() }), { changed: 3, unread: 0 })
  assert.deepEqual((await list(BEN)).data, [])
})

test('pages go on where the last one ended, and can be of some kinds', async () => {
  await mention(5)
  await create('/api/tasks', { title: 'Call', assignee_email: BEN })
  const all = idsOf(await list(BEN))
  assert.equal(all.length, 6)
  const paged: string[] = []
  let before = ''
  for (;;) {
    const page = await list(BEN, `limit=4${before}`)
    paged.push(...idsOf(page))
    if (page.next === null) break
    before = `&before=${page.next}`
  }
  assert.deepEqual(paged, all)
  assert.equal((await list(BEN, 'kind=assigned')).data.length, 1)
  assert.equal((await list(BEN, 'kind=assigned&kind=mentioned')).data.length, 6)
  await told(BEN)
})

test('wrong requests are refused in sentences', async () => {
  const refused = async (method: 'GET' | 'POST' | 'PATCH', url: string, body?: object) => {
    const { status, body: answer } = await api.call(method, `/api/notifications${url}`, body, as(BEN))
    assert.equal(status, 400, JSON.stringify(answer))
    return answer.details
  }
  const either = 'Send either ids, or before: the time up to which all are meant.'
  assert.equal(await refused('POST', '/read', {}), either)
  assert.equal(await refused('POST', '/done', { ids: ['ntf_x'], before: new Date().toISOString() }), either)
  assert.match(await refused('POST', '/read', { before: 'soon' }), /^before must be/)
  assert.match(await refused('POST', '/unread', { ids: [] }), /^ids must be/)
  assert.match(await refused('GET', '?before=x'), /^before must be the `next`/)
  assert.match(await refused('GET', '?kind=gossip'), /^kind must be/)
  assert.match(await refused('PATCH', '/settings', { digest_hour: 24 }), /^digest_hour must be/)
  assert.match(
    await refused('PATCH', '/settings', { mail: { mentioned: 'later' } }),
    /^mail\.mentioned must be/,
  )
  assert.match(await refused('PATCH', '/settings', { mail: { gossip: 'now' } }), /gossip/)
  const { status } = await api.call('GET', '/api/notifications', undefined, { headers: {} })
  assert.equal(status, 401)
})

test('settings keep what is not sent', async () => {
  const read = async () => (await send('GET', '/api/notifications/settings', undefined, BEN)).data
  const initial = await read()
  assert.deepEqual(
    [initial.mail.mentioned, initial.mail.deal_moved, initial.digest_hour],
    ['now', 'digest', 8],
  )
  const { data } = await send('PATCH', '/api/notifications/settings', { mail: { mentioned: 'off' } }, BEN)
  assert.deepEqual(data, { ...initial, mail: { ...initial.mail, mentioned: 'off' } })
  await send('PATCH', '/api/notifications/settings', { digest_hour: 0, mail: { deal_moved: 'now' } }, BEN)
  const expected = { ...initial.mail, mentioned: 'off', deal_moved: 'now' }
  assert.deepEqual(await read(), { ...initial, mail: expected, digest_hour: 0 })
  const sentBack = await send('PATCH', '/api/notifications/settings', await read(), BEN)
  assert.deepEqual(sentBack.data, await read())
})

test('what is in the trash is left out, comes back, and goes when it is purged', async () => {
  const [note] = await mention(1)
  const id = await company('Trashed', { owner_email: BEN })
  const deal = await create('/api/dealflow', { company_id: id })
  await send('PATCH', `/api/dealflow/${deal.id}`, { stage: 'due_diligence' })
  assert.equal((await list(BEN)).unread, 2)
  await send('DELETE', `/api/notes/${note}`)
  await send('DELETE', `/api/companies/${id}`)
  assert.deepEqual([(await list(BEN)).data, (await list(BEN)).unread], [[], 0])
  await send('POST', `/api/trash/${note}/restore`)
  assert.equal((await list(BEN)).unread, 1)
  await send('DELETE', `/api/notes/${note}`)
  await send('DELETE', `/api/trash/${note}`)
  await send('DELETE', `/api/trash/${id}`)
  const { rows } = await sql`select from notifications where subject_id = any(${[note, deal.id]})`.execute(
    api.context.db,
  )
  assert.equal(rows.length, 0)
  const { rows: follows } = await sql`select from follows where entity_id = ${id}`.execute(api.context.db)
  assert.equal(follows.length, 0)
})

test('mail gets texts of what is still shown, with addresses in the app', async () => {
  const [note, deleted] = await mention(2, 'Mailed')
  await catchUp()
  await send('DELETE', `/api/notes/${deleted}`)
  const { rows } = await sql<{ id: string; subject_id: string }>`
    select id, subject_id from notifications where user_email = ${BEN} and done_at is null`.execute(
    api.context.db,
  )
  const ids = rows.map(({ id }) => id)
  const texts = await readNotificationTexts(api.context.db, BEN, ids)
  const [{ at, ...text }] = [...texts.values()] as [Fields]
  assert.deepEqual(text, {
    kind: 'mentioned',
    text: 'Ada mentioned you in a note about Mailed',
    path: `/notes/${note}`,
  })
  assert.ok(Date.parse(at))
  assert.equal(texts.size, 1)
  assert.equal((await readNotificationTexts(api.context.db, EVA, ids)).size, 0)
  await told(BEN)
})

test('an inserted and a read notification are events for their user alone', async () => {
  await mention(1)
  const since = async () =>
    (
      await sql<{ readers: string[]; records: number }>`
        select readers, records from events where kind = 'notification' order by seq desc limit 1`.execute(
        api.context.db,
      )
    ).rows[0]
  const [{ id }] = (await list(BEN)).data
  assert.deepEqual(await since(), { readers: [BEN], records: 1 })
  const count = async () =>
    (
      await sql<{ n: number }>`select count(*)::int as n from events where kind = 'notification'`.execute(
        api.context.db,
      )
    ).rows[0]?.n as number
  const before = await count()
  await mark('read', { ids: [id] })
  assert.equal(await count(), before + 1)
  await sql`update notifications set mail = 'sent' where id = ${id}`.execute(api.context.db)
  assert.equal(await count(), before + 1, 'mail is no news')
  await told(BEN)
})

test('notifications are kept for 90 days', async () => {
  await mention(2, 'Old')
  const [old, recent] = idsOf(await list(BEN))
  await sql`update notifications set at = now() - interval '91 days' where id = ${old}`.execute(
    api.context.db,
  )
  await sql`update notifications set at = now() - interval '89 days' where id = ${recent}`.execute(
    api.context.db,
  )
  await deleteOldNotifications(api.context.backgroundDb)
  assert.deepEqual(idsOf(await list(BEN)), [recent])
  await told(BEN)
})

test('an erased user leaves no notifications, follows, or settings, and no address in those of others', async () => {
  await userWithRole(api, 'leaver@example.com', 'member')
  const id = await company('Left', { owner_email: BEN })
  await create('/api/notes', { body: 'x', about: about(id), mentions: [ZOE] }, 'leaver@example.com')
  await create('/api/notes', { body: 'x', about: about(id), mentions: ['leaver@example.com'] })
  await send('PUT', `/api/companies/${id}/follow`, {}, 'leaver@example.com')
  await send('PATCH', '/api/notifications/settings', { digest_hour: 7 }, 'leaver@example.com')
  await catchUp()
  const { db } = api.context
  await eraseUser(db, COUNTERS, 'leaver@example.com', api.config.authentication)
  for (const table of ['notifications', 'follows', 'notification_settings', 'events']) {
    const { rows } = await sql`
      select from ${sql.table(table)} as stored where stored::text like '%leaver@example.com%'`.execute(db)
    assert.equal(rows.length, 0, table)
  }
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from notifications left join users on users.email = notifications.user_email collate "default"
    where users.name = 'Erased user'`.execute(db)
  assert.equal(rows[0]?.n, 0)
  assert.deepEqual(await told(ZOE), ['Erased user mentioned you in a note about Left'])
})
