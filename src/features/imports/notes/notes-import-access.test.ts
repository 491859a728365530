import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { RecordImportsUnderTest } from '../people/people-import.fixture.ts'

let api: TestApp
let imports: RecordImportsUnderTest
before(async () => {
  api = await testApp()
  imports = new RecordImportsUnderTest(api, '/api/notes/import')
  const headers = { 'x-user-email': 'ada@example.com' }
  await api.call('GET', '/api/users/ada@example.com', undefined, { headers })
})
after(() => api.close())

const create = async (path: string, fields: object): Promise<string> =>
  (await api.call('POST', path, fields)).body.data.id
const notesAbout = async (id: string) =>
  (await api.call('GET', `/api/notes?about=${id}&sort=happened_at`)).body.data

const HEADER =
  'id,kind,body,happened_at,about_ids,updated_at,visibility,author_email,mentions,participant_ids,parent_id\n'
const MEL = { headers: { 'x-user-email': 'mel@example.com' } }
const importAs = (user: string, payload: string) =>
  api.call('POST', '/api/notes/import?file_name=their.csv', undefined, {
    payload,
    headers: { 'content-type': 'text/csv', 'x-user-email': user },
  })

test('a private note never becomes public, and one by someone else says where it is from', async () => {
  const id = await create('/api/companies', { name: 'Private' })
  const row = (body: string, more: string) => `,note,${body},2026-01-02,${id},,${more},,,\n`
  const file =
    HEADER +
    row('By a stranger', 'private,gone@example.com') +
    row('By nobody', 'private,') +
    row('By Mel', 'private,mel@example.com') +
    row('Odd', 'only me,ada@example.com') +
    row('Forged', 'team,mel@example.com') +
    row('Mine', 'team,ada@example.com')
  await api.call('GET', '/api/users/mel@example.com', undefined, MEL)
  const report = await imports.import(file)
  assert.deepEqual([report.created, report.failed], [6, 0])
  assert.match(JSON.stringify(report.bad_cells), /visibility must be team or private/)
  assert.match(JSON.stringify(report.warnings), /it became a private note of yours/)
  const ADA = { headers: { 'x-user-email': 'ada@example.com' } }
  const url = `/api/notes?about=${id}`
  const shown = (await api.call('GET', url, undefined, ADA)).body.data.map(
    ({ body, visibility, author_email, source }: Record<string, string>) =>
      [body, visibility, author_email, source].join(' | '),
  )
  assert.deepEqual(shown.sort(), [
    'By Mel\n\nAuthor: mel@example.com | private | ada@example.com | export',
    'By a stranger\n\nAuthor: gone@example.com | private | ada@example.com | export',
    'By nobody | private | ada@example.com | ',
    'Forged | team | mel@example.com | export',
    'Mine | team | ada@example.com | ',
    'Odd | private | ada@example.com | ',
  ])
  const others = (await api.call('GET', url, undefined, MEL)).body.data
  assert.deepEqual(others.map(({ body }: { body: string }) => body).sort(), ['Forged', 'Mine'])
  const unknown = await api.call('POST', '/api/notes/import', undefined, {
    payload: HEADER + row('Lost', 'private,gone@example.com'),
    headers: { 'content-type': 'text/csv' },
  })
  assert.deepEqual([unknown.body.data.created, unknown.body.data.failed], [0, 1])
  assert.match(unknown.body.data.errors[0].message, /^visibility must be team: neither the author/)
})

test('a file cannot find out which notes others keep, and a reader of a note imports it unchanged', async () => {
  const company = await create('/api/companies', { name: 'Probed' })
  const hidden = { about: [{ type: 'company', id: company }], body: 'Hidden', visibility: 'private' }
  const { id } = (await api.call('POST', '/api/notes', { ...hidden, mentions: ['ada@example.com'] }, MEL))
    .body.data
  const exported = (
    await api.call('GET', `/api/notes/export?about=${company}`, undefined, {
      headers: { 'x-user-email': 'ada@example.com' },
    })
  ).body
  const known = await imports.import(exported)
  assert.deepEqual([known.unchanged, known.errors], [1, []])
  await api.call('PATCH', `/api/notes/${id}`, { mentions: [] }, MEL)
  const probe = (body: string) => `${HEADER}${id},note,${body},2026-01-02,${company},,,,,,\n`
  const live = await importAs('ada@example.com', probe('Live'))
  await api.call('DELETE', `/api/notes/${id}`, undefined, MEL)
  const trashed = await importAs('ada@example.com', probe('Trashed'))
  await api.call('DELETE', `/api/trash/${id}`, undefined, MEL)
  const purged = await importAs('ada@example.com', probe('Purged'))
  for (const { body } of [live, trashed, purged])
    assert.deepEqual([body.data.created, body.data.trashed, body.data.errors], [1, 0, []])
  const notes = await notesAbout(company)
  assert.deepEqual(notes.map(({ body }: { body: string }) => body).sort(), ['Live', 'Purged', 'Trashed'])
  assert.ok(notes.every((note: { id: string }) => note.id !== id))
})

test('replies stay replies, and what a row refers to in vain is reported', async () => {
  const company = await create('/api/companies', { name: 'Replied' })
  const ADA = { headers: { 'x-user-email': 'ada@example.com' } }
  const post = async (note: object, user = ADA) =>
    (await api.call('POST', '/api/notes', note, user)).body.data.id
  const question = { about: [{ type: 'company', id: company }], body: 'Question', visibility: 'private' }
  const parent = await post({ ...question, mentions: ['mel@example.com'] })
  await post({ body: 'Answer', parent_id: parent }, MEL)
  const read = async () => {
    const { body } = await api.call('GET', `/api/notes?about=${company}&search=Question`, undefined, ADA)
    const replies = await api.call('GET', `/api/notes?parent_id=${body.data[0]?.id}`, undefined, ADA)
    return [...body.data, ...replies.body.data].map(
      ({ body, visibility, author_email, replies }: Record<string, unknown>) =>
        [body, visibility, author_email, replies].join(' | '),
    )
  }
  const before = await read()
  const exported = (await api.call('GET', `/api/notes/export?about=${company}`, undefined, ADA)).body
  await api.call('DELETE', `/api/notes/${parent}`, undefined, ADA)
  await api.call('DELETE', `/api/trash/${parent}`, undefined, ADA)
  // The purged private note keeps its id, so the import gives both new ones.
  const report = await imports.import(exported)
  assert.deepEqual([report.created, report.bad_cells], [2, []], JSON.stringify(report.errors))
  assert.deepEqual(await read(), before)
  assert.deepEqual(before, [
    'Question | private | ada@example.com | 1',
    'Answer | private | mel@example.com | 0',
  ])

  const [note] = (await api.call('GET', `/api/notes?about=${company}`, undefined, ADA)).body.data
  const row = (body: string, more: string) => `,note,${body},2026-01-02,${company},,${more}\n`
  const file =
    HEADER +
    row('Lost', 'team,ada@example.com,x@y.example; mel@example.com,per_x,note_x') +
    row('Late', `private,ada@example.com,,,${note.id}`) +
    row('Odd', 'team,ada@example.com,,,')
  const second = await imports.import(file)
  assert.deepEqual(
    second.bad_cells.map(({ row, column, value }) => [row, column, value]),
    [
      [2, 'mentions', 'x@y.example'],
      [2, 'participant_ids', 'per_x'],
      [2, 'parent_id', 'note_x'],
    ],
  )
  assert.equal(second.created, 3)
  const undo = await api.call('POST', `/api/actions/${report.action_id}/undo`, undefined, ADA)
  assert.equal(undo.status, 200)
  const strict = await imports.report(file, { bad_cells: 'fail', dry_run: 'true' })
  assert.deepEqual([strict.failed, strict.unchanged], [2, 1], JSON.stringify(strict.errors))
})
