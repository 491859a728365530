import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Answer, type TestApp, testApp } from '#src/testing/app.ts'
import { type Headers, keyOf, sessionCookieOf, userWithRole } from '#src/testing/credentials.ts'

let api: TestApp
const member: Headers = { 'x-user-email': 'mel@example.com' }
const other: Headers = { 'x-user-email': 'olga@example.com' }
const viewer: Headers = { 'x-user-email': 'vic@example.com' }
const partner: Headers = { 'x-user-email': 'pat@example.com' }
let company: string
before(async () => {
  api = await testApp({ WORKER: 'off', ENFORCE_ROLES: 'true' })
  for (const [email, role] of [
    ['mel@example.com', 'member'],
    ['olga@example.com', 'member'],
    ['vic@example.com', 'viewer'],
    ['pat@example.com', 'partner'],
  ] as const)
    await userWithRole(api, email, role)
  company = (await send(partner, 'POST', '/api/companies', { name: 'Firm' })).body.data.id
})
after(() => api.close())

type Method = Parameters<TestApp['call']>[0]
const send = (headers: Headers, method: Method, url: string, body?: unknown) =>
  api.call(method, url, body, { headers })
const actionOf = ({ status, headers, body }: Answer): string => {
  assert.ok(status < 300, `${status} ${JSON.stringify(body)}`)
  return String(headers['x-action-id'])
}
const undo = (headers: Headers, action: string) => send(headers, 'POST', `/api/actions/${action}/undo`, {})
const write = async (headers: Headers, fields = {}) => {
  const answer = await send(headers, 'POST', '/api/notes', {
    body: 'Text',
    about: [{ type: 'company', id: company }],
    ...fields,
  })
  const action = actionOf(answer)
  return { id: answer.body.data.id as string, url: `/api/notes/${answer.body.data.id}`, action }
}
const exists = async (url: string) => (await send(partner, 'GET', url)).status === 200

test('members restore their own notes, with replies of others, and only partners those of others', async () => {
  const { id, url } = await write(member)
  const reply = await send(other, 'POST', '/api/notes', { body: 'Reply', parent_id: id })
  actionOf(await send(member, 'DELETE', url))
  for (const [headers, status] of [
    [viewer, 403],
    [other, 403],
    [member, 200],
  ] as const)
    assert.equal((await send(headers, 'POST', `/api/trash/${id}/restore`)).status, status)
  assert.ok(await exists(`/api/notes/${reply.body.data.id}`))
  actionOf(await send(partner, 'DELETE', url))
  assert.equal((await send(member, 'POST', `/api/trash/${id}/restore`)).status, 200, 'deleted by a partner')
  actionOf(await send(member, 'DELETE', url))
  assert.equal((await send(partner, 'POST', `/api/trash/${id}/restore`)).status, 200)

  actionOf(await send(partner, 'DELETE', `/api/companies/${company}`))
  assert.equal((await send(member, 'POST', `/api/trash/${company}/restore`)).status, 403)
  assert.equal((await send(partner, 'POST', `/api/trash/${company}/restore`)).status, 200)
  assert.equal((await send(member, 'POST', '/api/trash/note_x/restore')).status, 404)
})

test('members undo what they did to their own notes', async () => {
  const { id, url, action } = await write(member)
  const change = actionOf(await send(member, 'PATCH', url, { body: 'Changed' }))
  for (const headers of [viewer, other]) assert.equal((await undo(headers, change)).status, 403)
  assert.equal((await undo(member, change)).body.data.reverted, 1)
  assert.equal((await send(member, 'GET', url)).body.data.body, 'Text')

  const reply = await send(other, 'POST', '/api/notes', { body: 'Reply', parent_id: id })
  const kept = (await undo(member, action)).body.data
  assert.deepEqual([kept.reverted, kept.skipped[0]?.reason], [0, 'built_on'])
  const deletion = actionOf(await send(member, 'DELETE', url))
  assert.equal((await undo(other, deletion)).status, 403)
  const undone = (await undo(member, deletion)).body.data
  assert.equal(undone.reverted, 2, 'with the reply of someone else')
  assert.ok(await exists(`/api/notes/${reply.body.data.id}`))
  assert.equal((await undo(member, undone.action_id)).body.data.reverted, 2, 'deleted again')
  const restored = actionOf(await send(member, 'POST', `/api/trash/${id}/restore`))
  assert.equal((await undo(member, restored)).status, 200)

  const created = await write(member)
  assert.equal((await undo(member, created.action)).body.data.reverted, 1)
  assert.equal(await exists(created.url), false)

  const theirs = await write(other)
  const forced = actionOf(await send(partner, 'DELETE', theirs.url))
  assert.equal((await undo(other, forced)).status, 403, 'the action of someone else')
})

test('an API key may restore and undo what its owner may, with the scope to write', async () => {
  const cookie = await sessionCookieOf(api, 'mel@example.com')
  const { headers: reading } = await keyOf(api, cookie, { scopes: ['read'] })
  const { headers: writing } = await keyOf(api, cookie, { scopes: ['read', 'write'] })
  const { id, url } = await write(writing, { visibility: 'private' })
  const deletion = actionOf(await send(member, 'DELETE', url))
  assert.equal((await send(reading, 'POST', `/api/trash/${id}/restore`)).status, 403)
  assert.equal((await undo(reading, deletion)).status, 403)
  assert.equal((await undo(partner, deletion)).status, 404, 'of a private note')
  assert.equal((await undo(writing, deletion)).status, 200)
})

test('only the author decides who can see a note, also when others undo the change', async () => {
  const mentions = ['pat@example.com']
  const skippedBy = async (headers: Headers, action: string) => {
    const { reverted, skipped } = (await undo(headers, action)).body.data
    return [reverted, skipped.map(({ field, reason }: { field: string; reason: string }) => [field, reason])]
  }
  const sees = async ({ url }: { url: string }) => (await send(other, 'GET', url)).status
  const note = await write(member, { mentions })
  const hidden = actionOf(await send(member, 'PATCH', note.url, { visibility: 'private', title: 'New' }))
  assert.equal((await send(partner, 'PATCH', note.url, { visibility: 'team' })).status, 403)
  assert.deepEqual(await skippedBy(partner, hidden), [1, [['visibility', 'not_yours']]])
  assert.equal(await sees(note), 404)

  const shown = await write(member, { visibility: 'private' })
  const publication = actionOf(await send(member, 'PATCH', shown.url, { visibility: 'team' }))
  assert.deepEqual(await skippedBy(partner, publication), [0, [['visibility', 'not_yours']]])
  assert.equal(await sees(shown), 200)
  assert.deepEqual(await skippedBy(member, publication), [1, []])
  assert.equal(await sees(shown), 404)

  const secret = await write(member, { visibility: 'private', mentions: [...mentions, 'olga@example.com'] })
  const narrowed = actionOf(await send(member, 'PATCH', secret.url, { mentions }))
  assert.deepEqual(await skippedBy(partner, narrowed), [0, [['mentions', 'not_yours']]])
  for (const changed of [[...mentions, 'olga@example.com'], []]) {
    const refused = await send(partner, 'PATCH', secret.url, { mentions: changed })
    assert.equal(refused.status, 403)
    assert.match(refused.body.details, /^Only the author of a private note may change its mentions/)
  }
  actionOf(await send(partner, 'PATCH', secret.url, { mentions, title: 'By a partner' }))
  assert.equal(await sees(secret), 404)
  assert.deepEqual(await skippedBy(member, narrowed), [1, []])
  assert.equal(await sees(secret), 200)
})

test('members do not undo a creation that hides notes of others', async () => {
  const create = async (url: string, body: object) => {
    const answer = await send(member, 'POST', url, body)
    return { id: answer.body.data.id as string, action: actionOf(answer) }
  }
  const firm = await create('/api/companies', { name: 'Noted' })
  const deal = await create('/api/dealflow', { company_id: firm.id })
  const person = await create('/api/people', { name: 'Noted Person' })
  const thesis = await create('/api/theses', { title: 'Noted', code: 'NOTED' })
  const undone = async ({ action }: { action: string }) => {
    const { reverted, skipped } = (await undo(member, action)).body.data
    return [reverted, skipped[0]?.reason]
  }
  const own = await write(member, { about: [{ type: 'company', id: firm.id }] })
  const reply = await send(other, 'POST', '/api/notes', { body: 'Reply', parent_id: own.id })
  assert.deepEqual(await undone(firm), [0, 'built_on'], 'with a reply')
  actionOf(await send(other, 'DELETE', `/api/notes/${reply.body.data.id}`))
  const onDeal = await write(other, { about: [{ type: 'deal', id: deal.id }], visibility: 'private' })
  assert.deepEqual(
    [await undone(firm), await undone(deal)],
    [
      [0, 'built_on'],
      [0, 'built_on'],
    ],
  )
  actionOf(await send(other, 'DELETE', onDeal.url))
  const attended = await write(other, { participants: [person.id] })
  assert.deepEqual(await undone(person), [0, 'built_on'])
  actionOf(await send(other, 'DELETE', attended.url))
  const onThesis = await write(other, { about: [{ type: 'thesis', id: thesis.id }] })
  assert.deepEqual(await undone(thesis), [0, 'built_on'])
  actionOf(await send(other, 'DELETE', onThesis.url))
  for (const created of [deal, firm, person, thesis])
    assert.deepEqual(await undone(created), [1, undefined], 'with only notes of their own')
})

test('an admin gives the private notes of a disabled user to another user, who can undo it as a partner', async () => {
  const admin: Headers = { 'x-user-email': 'adam@example.com' }
  await userWithRole(api, 'adam@example.com', 'admin')
  await userWithRole(api, 'lea@example.com', 'member')
  const leaver: Headers = { 'x-user-email': 'lea@example.com' }
  const note = await write(leaver, { visibility: 'private', mentions: ['olga@example.com'] })
  const team = await write(leaver)
  const own = await send(leaver, 'POST', '/api/notes', { body: 'Own reply', parent_id: note.id })
  const others = await send(other, 'POST', '/api/notes', { body: 'Reply', parent_id: note.id })
  const foreign = await write(other, { visibility: 'private', mentions: ['lea@example.com'] })
  const inForeign = await send(leaver, 'POST', '/api/notes', { body: 'In another', parent_id: foreign.id })
  const transfer = (headers: Headers, from: string, to: string) =>
    send(headers, 'POST', '/api/notes/transfer', { from, to })

  const early = await transfer(admin, 'lea@example.com', 'pat@example.com')
  assert.equal(early.status, 409)
  assert.match(early.body.details, /^lea@example\.com is not disabled\./)
  await send(admin, 'PATCH', '/api/users/lea@example.com', { disabled: true })
  for (const [headers, from, to, status, details] of [
    [member, 'lea@example.com', 'pat@example.com', 403, /permission/],
    [admin, 'lea@example.com', 'lea@example.com', 400, /^to must be another user than from/],
    [admin, 'lea@example.com', 'no@example.com', 400, /^to must be the email address of a user/],
    [admin, 'no@example.com', 'pat@example.com', 400, /^from must be the email address of a user/],
  ] as const) {
    const answer = await transfer(headers, from, to)
    assert.deepEqual([answer.status, details.test(answer.body.details)], [status, true], answer.body.details)
  }

  const done = await transfer(admin, 'Lea@example.com', 'pat@example.com')
  const action = actionOf(done)
  assert.deepEqual(done.body.data, { action_id: action, notes: 2 })
  const authors = async (headers: Headers) =>
    Promise.all(
      [note.id, own.body.data.id, others.body.data.id, team.id, inForeign.body.data.id].map(async (id) => {
        const { status, body } = await send(headers, 'GET', `/api/notes/${id}`)
        return status === 200 ? body.data.author_email.split('@')[0] : status
      }),
    )
  assert.deepEqual(await authors(partner), ['pat', 'pat', 'olga', 'lea', 404])
  assert.deepEqual(await authors(admin), [404, 404, 404, 'lea', 404])
  assert.deepEqual(await authors(other), ['pat', 'pat', 'olga', 'lea', 'lea'])
  const again = await transfer(admin, 'lea@example.com', 'pat@example.com')
  assert.deepEqual(again.body.data, { action_id: null, notes: 0 })

  assert.equal((await undo(partner, action)).status, 200)
  assert.deepEqual(await authors(partner), [404, 404, 404, 'lea', 404])
  assert.deepEqual(await authors(other), ['lea', 'lea', 'olga', 'lea', 'lea'])
  const audited = await send(admin, 'GET', '/api/audit?event=notes_transferred')
  assert.deepEqual(
    audited.body.data.map(({ details }: { details: object }) => details),
    [0, 2].map((notes) => ({ from: 'lea@example.com', to: 'pat@example.com', notes })),
  )
})
