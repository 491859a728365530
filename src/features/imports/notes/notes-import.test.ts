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
const total = async () => (await api.call('GET', '/api/notes?limit=0')).body.pagination.total

test('notes of other tools are recognized, and become notes about companies, people, and deals', async () => {
  const company = await create('/api/companies', { name: 'Nordlys', website: 'https://nordlys.example' })
  const deal = await create('/api/dealflow', { company_id: company })
  const person = await create('/api/people', { name: 'Ingrid Solberg', emails: ['ingrid@nordlys.example'] })
  const affinity = await imports.import(
    'Author,Date Created,Tagged Entity,Content\n' +
      'ada@example.com,2026-03-02,nordlys.example,Met the team\n' +
      'Jane Former,2026-03-03,ingrid@nordlys.example,Called Ingrid\n' +
      'ada@example.com,2026-03-04,Ingrid Solberg,Asked again\n',
  )
  assert.deepEqual([affinity.file.holds.type, affinity.file.holds.source], ['note', 'Affinity'])
  assert.deepEqual([affinity.created, affinity.bad_cells], [3, []], JSON.stringify(affinity.errors))
  const [met] = await notesAbout(company)
  assert.equal(met.body, 'Met the team')
  assert.equal(met.happened_at, '2026-03-02T12:00:00.000Z')
  assert.deepEqual([met.author_email, met.source, met.kind], ['ada@example.com', 'Affinity', 'note'])
  const [called] = await notesAbout(person)
  assert.equal(called.body, 'Called Ingrid\n\nAuthor: Jane Former')
  assert.equal(called.author_email, null)
  const hubspot = await imports.import(
    'Record ID,Activity type,Note body,Activity date,Activity assigned to,Associated Company,Associated Contact,Associated Deal\n' +
      '901,Call,"<p>Price is <b>per robot</b> &amp; &lt;script&gt;</p><ul><li>one</li><li>two</li></ul><script>x()</script>",2026-04-01 09:30,ada@example.com,Nordlys,Ingrid Solberg,Nordlys\n' +
      '902,LinkedIn message,Plain text <3,04/02/2026 3:15 PM,ada@example.com,Nordlys,Nobody Known,\n',
    { formats: JSON.stringify({ 'Activity date': { date_order: 'mdy' } }) },
  )
  assert.equal(hubspot.file.holds.source, 'HubSpot')
  assert.equal(hubspot.created, 2)
  assert.deepEqual(
    hubspot.bad_cells.map(({ column, value }) => [column, value]),
    [['Associated Contact', 'Nobody Known']],
  )
  assert.match(JSON.stringify(hubspot.warnings), /It was stored as a note/)
  const [, html, plain] = await notesAbout(company)
  assert.equal(html.body, 'Price is **per robot** & \\<script>\n\n- one\n- two')
  assert.deepEqual(
    [html.kind, html.happened_at, html.source],
    ['call', '2026-04-01T09:30:00.000Z', 'HubSpot 901'],
  )
  assert.deepEqual(html.about.map(({ id }: { id: string }) => id).sort(), [company, deal, person].sort())
  assert.deepEqual([plain.body, plain.happened_at], ['Plain text <3', '2026-04-02T15:15:00.000Z'])
  const attio = await imports.report(
    'Note ID,Parent object,Parent record,Title,Content plaintext,Created at,Created by\n' +
      'n1,companies,Nordlys,Board,Seats,2026-05-01T08:00:00.000Z,Ada <ada@example.com>\n',
  )
  assert.deepEqual([attio.file.holds.source, attio.created], ['Attio', 1], JSON.stringify(attio.errors))
})

test('a note about nothing that exists fails, unless its company is created, and one undo removes both', async () => {
  const file =
    'Company,Note,Date\nUnknown Co,First,2026-01-01\n,Second,2026-01-01\nUnknown Co,,2026-01-01\nUnknown Co,First,2026-01-01\n'
  const before = await total()
  const failed = await imports.report(file)
  assert.deepEqual([failed.created, failed.failed], [0, 4])
  assert.match(JSON.stringify(failed.errors), /is about no company, person, or deal that exists/)
  assert.match(JSON.stringify(failed.errors), /body is required/)
  assert.deepEqual(
    failed.companies.unknown.map(({ name, rows }) => [name, rows]),
    [['Unknown Co', 2]],
  )
  const report = await imports.import(file, { create_companies: 'true' })
  assert.deepEqual([report.created, report.failed, report.left_out, report.companies.created], [1, 2, 1, 1])
  assert.equal(await total(), before + 1)
  const undo = await api.call('POST', `/api/actions/${report.action_id}/undo`)
  assert.deepEqual([undo.status, undo.body.data.skipped], [200, []])
  assert.equal(await total(), before)
  assert.equal((await api.call('GET', '/api/companies?search=Unknown')).body.pagination.total, 0)
})

test('limits are named, and odd text is stored as it is', async () => {
  const id = await create('/api/companies', { name: 'Limits' })
  const long = 'x'.repeat(301)
  const report = await imports.report(
    `Company,Title,Content,Date\nLimits,${long},Nul\0l "" and 'quotes',yesterday\nLimits,Big,${'y'.repeat(102_401)},\n`,
  )
  assert.deepEqual([report.created, report.failed], [1, 1])
  assert.match(report.errors[0]?.message ?? '', /^body must have at most 100 KB/)
  assert.deepEqual(
    report.bad_cells.map(({ column }) => column),
    ['Date'],
  )
  const [note] = await notesAbout(id)
  assert.equal(note.body, `${long}\n\nNull "" and 'quotes'`)
  const custom = await imports.send('Company,Content,Extra\nLimits,a,b\n', {
    mapping: JSON.stringify({ 'custom.extra': { column: 'Extra' } }),
  })
  assert.deepEqual(
    [custom.status, custom.body.details],
    [400, 'mapping must not create custom fields: notes have none.'],
  )
})

test('an export of notes is imported without loss', async () => {
  const company = await create('/api/companies', { name: 'Round' })
  const person = await create('/api/people', { name: 'Par Ticipant' })
  const headers = { 'x-user-email': 'ada@example.com' }
  const note = {
    kind: 'meeting',
    title: 'T; "x"',
    body: '# A\n\n=b **c** <p>',
    about: [{ type: 'company', id: company }],
  }
  const more = {
    participants: [person],
    mentions: ['ada@example.com'],
    pinned: true,
    happened_at: '2026-01-02T03:04:05.000Z',
  }
  await api.call('POST', '/api/notes', { ...note, ...more }, { headers })
  const exported = (await api.call('GET', `/api/notes/export?about=${company}`)).body
  const before = await notesAbout(company)
  const same = await imports.import(exported)
  assert.deepEqual([same.file.holds.type, same.file.holds.source, same.unchanged], ['note', 'export', 1])
  await api.call('DELETE', `/api/notes/${before[0].id}`)
  assert.equal((await imports.report(exported)).trashed, 1)
  await api.call('DELETE', `/api/trash/${before[0].id}`)
  const report = await imports.import(exported)
  assert.deepEqual([report.created, report.bad_cells], [1, []], JSON.stringify(report.errors))
  const without = (notes: object[]) => notes.map((one) => ({ ...one, updated_at: null }))
  assert.deepEqual(without(await notesAbout(company)), without(before))
})
