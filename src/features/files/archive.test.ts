import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { openPromise } from 'yauzl'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { userWithRole } from '#src/testing/credentials.ts'
import { eventually } from '#src/testing/eventually.ts'
import { ada } from '#src/testing/settings.ts'
import { about, type Fields, filesOf } from './files.fixture.ts'

const [mel, pat] = ['mel@example.com', 'pat@example.com']
let api: TestApp
let folder: string
before(async () => {
  api = await testApp({ EMBEDDINGS: 'off', ENFORCE_ROLES: 'true' })
  folder = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-test-'))
  await userWithRole(api, ada, 'admin')
  await userWithRole(api, mel, 'member')
  await userWithRole(api, pat, 'partner')
})
after(async () => {
  await api.close()
  await rm(folder, { recursive: true })
})

const { company, create, get, patch, upload, version } = filesOf(() => api)

/** The files in a ZIP, by their names. */
async function unzip(content: Buffer): Promise<Record<string, string>> {
  const file = path.join(folder, 'archive.zip')
  await writeFile(file, content)
  const zip = await openPromise(file)
  const files: Record<string, string> = {}
  for await (const entry of zip.eachEntry())
    files[entry.fileName] = await text(await zip.openReadStreamPromise(entry))
  return files
}

const lastAudit = async (): Promise<Fields> => {
  await api.context.audit.flush()
  return (await api.call('GET', '/api/audit?event=export')).body.data[0]
}

test('all files of a company are one ZIP for partners, with unique names, and it is audited', async () => {
  const [one, two] = [await company('Ämne'), await company()]
  const deal = (await create('/api/dealflow', { company_id: one, stage: 'meeting' })).id
  await upload({ about: [about(one)], fileName: 'Deck.txt', content: 'One' })
  await upload({ about: [about(deal, 'deal')], fileName: 'deck.TXT', content: 'Of the deal' })
  await upload({ about: [about(two)], fileName: 'Other.txt', content: 'Of another company' })
  await upload(
    { about: [about(one)], fileName: 'Private.txt', visibility: 'private', content: 'Secret' },
    mel,
  )
  const pdf = '%PDF-1.4 not compressed'
  const scanned = await upload({ about: [about(one)], fileName: 'Bad.pdf', content: pdf })
  const lost = await upload({ about: [about(one)], fileName: 'Lost.txt', content: 'Lost' })
  const { db, objects } = api.context
  await db
    .updateTable('file_versions')
    .set({ scan_state: 'infected' })
    .where('file_id', '=', scanned.id)
    .execute()
  const rows = await db.selectFrom('file_versions').selectAll().where('file_id', '=', lost.id).execute()
  await objects.delete(rows.map(({ object_key }) => object_key))

  assert.equal((await get(`/api/companies/${one}/files/archive`, mel)).statusCode, 403)
  const sent = await get(`/api/companies/${one}/files/archive`, pat)
  assert.equal(sent.statusCode, 200)
  assert.equal(sent.headers['content-type'], 'application/zip')
  assert.equal(
    sent.headers['content-disposition'],
    `attachment; filename="Amne.zip"; filename*=UTF-8''%C3%84mne.zip`,
  )
  const files = await unzip(sent.rawPayload)
  assert.deepEqual(files, {
    'Deck.txt': 'One',
    'deck (2).TXT': 'Of the deal',
    'NOT-INCLUDED.txt':
      `Bad.pdf (${scanned.id}): The virus scan found something in this file.\r\n` +
      `Lost.txt (${lost.id}): The object storage does not have the content of this file.\r\n`,
  })
  const { user_email, details } = await lastAudit()
  assert.deepEqual(
    [user_email, details],
    [pat, { resource: 'files', company_id: one, files: 2, left_out: 2, bytes: 14, complete: true }],
  )
  const ofDeal = await get(`/api/dealflow/${deal}/files/archive`, pat)
  assert.deepEqual(await unzip(ofDeal.rawPayload), { 'deck.TXT': 'Of the deal' })
})

test('a record without files, and one that does not exist, is a 404; a merged one redirects', async () => {
  const [empty, merged, kept] = [await company(), await company(), await company()]
  for (const [url, expected] of [
    [`/api/companies/${empty}/files/archive`, /has no files/],
    ['/api/companies/cmp_x/files/archive', /No company has the id/],
    ['/api/dealflow/df_x/files/archive', /No deal has the id/],
  ] as const) {
    const missing = await get(url, pat)
    assert.equal(missing.statusCode, 404)
    assert.match(missing.json().details, expected)
  }
  await api.call('POST', `/api/companies/${kept}/merge`, { from: [merged] })
  const moved = await get(`/api/companies/${merged}/files/archive`, pat)
  assert.deepEqual([moved.statusCode, moved.headers.location], [301, `/api/companies/${kept}/files/archive`])
})

test('a client that goes away ends the reading, and the audit log says that it did not get all', async () => {
  const one = await company()
  const content = Buffer.alloc(20 * 1024 * 1024, '%PDF-1.4 ')
  await upload({ about: [about(one)], fileName: 'Large.pdf', content })
  await upload({ about: [about(one)], fileName: 'Next.pdf', content: '%PDF-1.4' })
  const opened: Readable[] = []
  const { objects } = api.context
  const { open } = objects
  objects.open = async (...parameters) => {
    const found = await open(...parameters)
    if (found) opened.push(found.body)
    return found
  }
  const address = await api.app.listen({ port: 0, host: '127.0.0.1' })
  const asking = request(`${address}/api/companies/${one}/files/archive`, {
    headers: { 'x-user-email': pat },
  }).end()
  await new Promise<void>((resolve) => {
    asking.on('response', (response) => response.once('data', () => resolve(void response.destroy())))
  })
  await eventually(async () => {
    const { details } = await lastAudit()
    assert.deepEqual([details.company_id, details.complete, details.files], [one, false, 0])
  })
  objects.open = open
  assert.equal(opened.length, 1)
  assert.equal(opened[0]?.destroyed, true)
})

test('names with a drive letter do not break a ZIP, and HEAD makes none', async () => {
  const one = await company()
  const url = `/api/companies/${one}/files/archive`
  await upload({ about: [about(one)], fileName: 'x.txt', name: 'C:deck.txt', content: 'One' })
  await upload({ about: [about(one)], fileName: 'x.txt', name: 'Q: what next.txt', content: 'Two' })
  const files = await unzip((await get(url, pat)).rawPayload)
  assert.deepEqual(files, { 'C_deck.txt': 'One', 'Q_ what next.txt': 'Two' })
  const head = await api.app.inject({ method: 'HEAD', url, headers: { 'x-user-email': pat } })
  assert.equal(head.statusCode, 405)
})

test('a stored object of another length ends the ZIP, not the process', async () => {
  const one = await company()
  await upload({ about: [about(one)], fileName: 'Short.txt', content: 'Long enough' })
  const { objects } = api.context
  const { open } = objects
  objects.open = async (...parameters) => {
    const found = await open.apply(objects, parameters)
    found?.body.destroy()
    return found && { ...found, body: Readable.from([Buffer.from('Long')]) }
  }
  await get(`/api/companies/${one}/files/archive`, pat).catch(() => {})
  objects.open = open
  await eventually(async () => {
    const { details } = await lastAudit()
    assert.deepEqual([details.company_id, details.complete], [one, false])
  })
})

test('a file that becomes private or infected while others are sent is not sent', async () => {
  const one = await company()
  const ids: string[] = []
  for (const name of ['A.txt', 'B.txt', 'C.txt'])
    ids.push((await upload({ about: [about(one)], fileName: name, content: name }, mel)).id)
  const [, second = '', third = ''] = ids
  const { db, objects } = api.context
  const { open } = objects
  objects.open = async (...parameters) => {
    objects.open = open
    assert.equal((await patch(second, { visibility: 'private' }, mel)).status, 200)
    await db
      .updateTable('file_versions')
      .set({ scan_state: 'infected' })
      .where('file_id', '=', third)
      .execute()
    return open.apply(objects, parameters)
  }
  const files = await unzip((await get(`/api/companies/${one}/files/archive`, pat)).rawPayload)
  assert.deepEqual(Object.keys(files), ['A.txt', 'NOT-INCLUDED.txt'])
  assert.match(files['NOT-INCLUDED.txt'] ?? '', /^C\.txt \(\w+\): The virus scan found something/)
})

test('an infected version keeps its uploader from deleting the file, and its details are hidden', async () => {
  const { id } = await upload({ about: [about(await company())], fileName: 'Bad.txt' }, mel)
  const { db } = api.context
  await db
    .updateTable('file_versions')
    .set({
      scan_state: 'infected',
      details: { kind: 'email' },
      pages: 2,
      text_detail: 'Shown',
      text_state: 'done',
    })
    .where('file_id', '=', id)
    .execute()
  const file = (await get(`/api/files/${id}`, mel)).json().data
  assert.deepEqual([file.details, file.pages, file.text_detail], [null, null, null])
  assert.equal((await version(id, 'Clean', mel)).status, 201)
  const remove = (email: string) =>
    api.call('DELETE', `/api/files/${id}`, undefined, { headers: { 'x-user-email': email } })
  assert.equal((await remove(mel)).status, 403)
  assert.equal((await remove(ada)).status, 204)
})
