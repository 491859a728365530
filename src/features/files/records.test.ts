import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Answer, type TestApp, testApp } from '#src/testing/app.ts'
import { userWithRole } from '#src/testing/credentials.ts'
import { ada } from '#src/testing/settings.ts'
import { about, as, type Fields, filesOf, ok } from './files.fixture.ts'

const [mel, olga, vic, pat] = ['mel', 'olga', 'vic', 'pat'].map((name) => `${name}@example.com`) as [
  string,
  string,
  string,
  string,
]
let api: TestApp
before(async () => {
  api = await testApp({ EMBEDDINGS: 'off', ENFORCE_ROLES: 'true' })
  await userWithRole(api, ada, 'admin')
  await userWithRole(api, mel, 'member')
  await userWithRole(api, olga, 'member')
  await userWithRole(api, vic, 'viewer')
  await userWithRole(api, pat, 'partner')
})
after(() => api.close())

const { company, create, get, list, patch, post, read, upload, version } = filesOf(() => api)
const remove = (path: string, email = ada) => api.call('DELETE', `/api/${path}`, undefined, as(email))
const restore = (id: string, email = ada) =>
  api.call('POST', `/api/trash/${id}/restore`, undefined, as(email))
const undo = async (answer: Answer, email = ada): Promise<Fields> =>
  ok(await api.call('POST', `/api/actions/${answer.headers['x-action-id']}/undo`, {}, as(email)))
const statusOf = ({ status }: Answer) => status
const objectsOf = async (id: string): Promise<string[]> => {
  const rows = await api.context.db
    .selectFrom('file_versions')
    .select('object_key')
    .where('file_id', '=', id)
    .execute()
  return rows.map(({ object_key }) => object_key)
}

test('viewers read files, members add versions and change their own, partners change those of others', async () => {
  const one = await company()
  const { id } = await upload({ about: [about(one)], fileName: 'Roles.txt' }, mel)
  for (const path of [`files/${id}`, 'files', `files/${id}/content`, `files/${id}/versions`])
    assert.equal(statusOf(await api.call('GET', `/api/${path}`, undefined, as(vic))), 200)
  assert.equal(statusOf(await post({ about: [about(one)] }, vic)), 403)
  assert.equal(statusOf(await version(id, 'No', vic)), 403)
  assert.equal(ok(await version(id, 'By Olga', olga)).version, 2)
  for (const change of [patch(id, { name: 'No' }, olga), remove(`files/${id}`, olga)])
    assert.equal(statusOf(await change), 403)
  for (const email of [mel, pat]) {
    assert.equal(ok(await patch(id, { name: `By ${email}` }, email)).name, `By ${email}`)
    const deletion = await remove(`files/${id}`, email)
    assert.equal(statusOf(deletion), 204)
    assert.equal((await undo(deletion, email)).reverted, 1)
    ok(await remove(`files/${id}`, pat))
    assert.equal(statusOf(await restore(id, email)), 200)
  }
  ok(await remove(`files/${id}`, pat))
  assert.equal(statusOf(await restore(id, olga)), 403)
})

test('a file goes to the trash, comes back with its versions, and is purged with its objects', async () => {
  const one = await company('Trashed')
  const created = await upload({ about: [about(one)], fileName: 'Trash me.txt', content: 'First' })
  const before = ok(await version(created.id, 'Second'))
  const keys = await objectsOf(created.id)
  assert.equal(statusOf(await remove(`files/${created.id}`)), 204)
  assert.deepEqual((await list(`about=${one}`)).data, [])
  for (const path of ['', '/content', '/versions', '/history']) {
    const missing = await get(`/api/files/${created.id}${path}`)
    assert.equal(missing.statusCode, 404)
    assert.match(missing.json().details, /is in the trash/)
  }
  const trash = (await api.call('GET', '/api/trash?entity_type=file')).body.data
  assert.deepEqual(
    trash.filter((entry: Fields) => entry.id === created.id).map((entry: Fields) => entry.name),
    ['Trash me.txt'],
  )
  // While it is in the trash, a file with its name is another one.
  assert.notEqual((await upload({ about: [about(one)], fileName: 'Trash me.txt' })).id, created.id)
  ok(await restore(created.id))
  assert.deepEqual(await read(created.id), before)
  assert.equal((await get(`/api/files/${created.id}/content?version=1`)).body, 'First')

  await remove(`files/${created.id}`)
  assert.equal(statusOf(await remove(`trash/${created.id}`)), 204)
  for (const key of keys) assert.equal(await api.context.objects.describe(key), null)
  assert.deepEqual(await objectsOf(created.id), [])
  const { rows } = {
    rows: await api.context.db.selectFrom('links').selectAll().where('record_id', '=', created.id).execute(),
  }
  assert.deepEqual(rows, [])
})

test('files about a company alone are purged with it, and others lose their link', async () => {
  const [gone, kept] = [await company('Purged'), await company('Kept')]
  const alone = await upload({ about: [about(gone)], fileName: 'Alone.txt' })
  const trashed = await upload({ about: [about(gone)], fileName: 'Trashed.txt' })
  const both = await upload({ about: [about(gone), about(kept)], fileName: 'Both.txt' })
  await remove(`files/${trashed.id}`)
  await remove(`companies/${gone}`)
  assert.equal(statusOf(await remove(`trash/${gone}`)), 204)
  for (const { id } of [alone, trashed]) {
    assert.equal((await get(`/api/files/${id}`)).statusCode, 404)
    assert.deepEqual(await objectsOf(id), [])
  }
  assert.deepEqual(
    (await read(both.id)).about.map(({ id }: Fields) => id),
    [kept],
  )
  const { data } = (await api.call('GET', '/api/activity?activity_type=file_purged')).body
  const purged = data.map((entry: Fields) => entry.entity_id)
  assert.deepEqual(new Set(purged).isSupersetOf(new Set([alone.id, trashed.id])), true)
})

test('a purge that the object storage refuses is completed later', async () => {
  const { id } = await upload({ about: [about(await company())], fileName: 'Refused.txt' })
  await remove(`files/${id}`)
  const { objects } = api.context
  const { delete: original } = objects
  objects.delete = () => Promise.reject(new Error('down'))
  const refused = await remove(`trash/${id}`)
  objects.delete = original
  assert.equal(refused.status, 503)
  assert.equal((await objectsOf(id)).length, 1)
  assert.equal(statusOf(await restore(id)), 404)
  assert.equal(statusOf(await remove(`trash/${id}`)), 204)
  assert.deepEqual(await objectsOf(id), [])
})

test('a file is hidden while all that it is about is in the trash', async () => {
  const [one, two] = [await company(), await company()]
  const { id } = await upload({ about: [about(one), about(two)] })
  await remove(`companies/${one}`)
  assert.deepEqual(
    (await read(id)).about.map((entry: Fields) => entry.id),
    [two],
  )
  await remove(`companies/${two}`)
  assert.match((await get(`/api/files/${id}`)).json().details, /All records that the file/)
  assert.equal(
    (await list()).data.some((file: Fields) => file.id === id),
    false,
  )
  ok(await restore(one))
  ok(await restore(two))
  assert.equal((await read(id)).about.length, 2)
})

test('merges move files, private ones and those in the trash too, and undoing them brings the links back', async () => {
  const [kept, merged] = [await company('Kept'), await company('Merged')]
  const open = await upload({ about: [about(merged)], fileName: 'Open.txt' })
  const both = await upload({ about: [about(kept), about(merged)], fileName: 'Both.txt' })
  const hidden = await upload({ about: [about(merged)], fileName: 'Hidden.txt', visibility: 'private' }, mel)
  const trashed = await upload({ about: [about(merged)], fileName: 'Trashed.txt' })
  await remove(`files/${trashed.id}`)
  const merge = await api.call('POST', `/api/companies/${kept}/merge`, { from: [merged] })
  assert.equal(ok(merge).moved.attached_files, 2)
  const names = async (email = ada) =>
    (await list(`about=${kept}&sort=name`, email)).data.map(({ name }: Fields) => name)
  assert.deepEqual(await names(), ['Both.txt', 'Open.txt'])
  assert.deepEqual(await names(mel), ['Both.txt', 'Hidden.txt', 'Open.txt'])
  ok(await restore(trashed.id))
  assert.deepEqual(await names(), ['Both.txt', 'Open.txt', 'Trashed.txt'])
  await undo(merge)
  assert.deepEqual(await names(), ['Both.txt'])
  for (const { id, about: entries } of [open, both]) assert.deepEqual((await read(id)).about, entries)
  assert.deepEqual((await read(hidden.id, mel)).about, hidden.about)

  const [ingrid, double] = [
    (await create('/api/people', { name: 'Ingrid' })).id,
    (await create('/api/people', { name: 'Ingrid S.' })).id,
  ]
  const cv = await upload({ about: [about(double, 'person')], fileName: 'CV.pdf' })
  const people = await api.call('POST', `/api/people/${ingrid}/merge`, { from: [double] })
  assert.equal(ok(people).moved.attached_files, 1)
  assert.equal((await read(cv.id)).about[0].id, ingrid)
  await undo(people)
  assert.equal((await read(cv.id)).about[0].id, double)
})

test('an undo of an upload keeps a file, and a record, that others have built on', async () => {
  const firm = await api.call('POST', '/api/companies', { name: 'Built on' }, as(mel))
  const created = await post({ about: [about(ok(firm).id)] }, mel)
  ok(await version(ok(created).id, 'By Olga', olga))
  assert.equal((await undo(created, mel)).skipped[0]?.reason, 'built_on')
  const other = await api.call('POST', '/api/companies', { name: 'Built on, too' }, as(mel))
  await upload({ about: [about(ok(other).id)] }, olga)
  assert.equal((await undo(other, mel)).skipped[0]?.reason, 'built_on')
})

test('timelines of companies, deals, people, and theses show each version of a file at the time of its upload', async () => {
  const firm = await company('Timeline')
  const deal = (await create('/api/dealflow', { company_id: firm, stage: 'meeting' })).id
  const person = (await create('/api/people', { name: 'Timeline' })).id
  const thesis = (await create('/api/theses', { code: 'TL', title: 'Timeline' })).id
  const entries = [about(deal, 'deal'), about(person, 'person'), about(thesis, 'thesis')]
  const { id } = await upload({ about: entries, fileName: 'Deck.txt' }, mel)
  ok(await version(id, 'Second', olga))
  const file = await read(id)
  const [{ uploaded_at }, first] = ok(await api.call('GET', `/api/files/${id}/versions`))
  for (const path of [`companies/${firm}`, `dealflow/${deal}`, `people/${person}`, `theses/${thesis}`]) {
    const { data } = (await api.call('GET', `/api/${path}/timeline?kinds=file`)).body
    assert.deepEqual(
      data.map((row: Fields) => [row.id, row.kind, row.user_email, row.title, row.file_version, row.at]),
      [
        [id, 'file', olga, 'Version 2 of Deck.txt', 2, uploaded_at],
        [`${id}.1`, 'file', mel, 'Deck.txt', 1, first.uploaded_at],
      ],
    )
    for (const row of data) assert.deepEqual([row.entity_id, row.file], [id, file])
  }
  await upload({ about: [about(firm)], fileName: 'Other.txt' })
  const titles: string[] = []
  for (let before = ''; before !== null; ) {
    const page = (
      await api.call('GET', `/api/companies/${firm}/timeline?kinds=file&limit=1&before=${before}`)
    ).body
    titles.push(...page.data.map(({ title }: Fields) => title))
    before = page.next
  }
  assert.deepEqual(titles, ['Other.txt', 'Version 2 of Deck.txt', 'Deck.txt'])
  const third = await version(id, 'Third', olga)
  await undo(third, olga)
  const { data } = (await api.call('GET', `/api/people/${person}/timeline?kinds=file`)).body
  assert.equal(data.length, 2, 'a version that was undone is no entry')
})

test('uploads, versions, and changes of files are events with the file as it is', async () => {
  const created = await upload({ about: [about(await company())], fileName: 'Event.txt' })
  await version(created.id, 'Second')
  await patch(created.id, { name: 'Renamed.txt' })
  const { data } = (await api.call('GET', '/api/events/log?limit=500&types=file.*')).body
  const own = data.filter((event: Fields) => event.data.id === created.id)
  assert.deepEqual(
    own.map(({ type }: Fields) => type),
    ['file.created', 'file.version_added', 'file.updated'],
  )
  assert.deepEqual(own.at(-1).data.record, await read(created.id))
  const { data: activity } = (await api.call('GET', `/api/activity?entity_id=${created.id}`)).body
  assert.equal(activity[0].entity_name, 'Renamed.txt')
  assert.deepEqual(activity[0].about, created.about)
  ok(await api.call('DELETE', `/api/files/${created.id}`))
  const trash = ok(await api.call('GET', '/api/trash?entity_type=file'))
  assert.deepEqual(trash.find((row: Fields) => row.id === created.id).about, created.about)
  assert.deepEqual(activity[1].changes, { version: { from: 1, to: 2 } })
})
