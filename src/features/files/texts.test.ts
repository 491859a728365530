import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { StoreRefusal } from '#src/platform/objects/objects.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { ada } from '#src/testing/settings.ts'
import { claimVersion } from './extraction/claims.ts'
import { docx, eml, paragraph, pdf, pptx, workbook } from './extraction/documents.fixture.ts'
import { saveExtraction } from './extraction/save.ts'
import { about, as, type Fields, filesOf, ok } from './files.fixture.ts'
import { readFileTexts } from './index.ts'

const ben = 'ben@example.com'
let api: TestApp
before(async () => {
  api = await testApp({ EMBEDDINGS: 'off' })
  for (const email of [ada, ben]) await api.call('GET', `/api/users/${email}`)
})
after(() => api.close())

const { upload, version, company, read, get, list, patch } = filesOf(() => api)
const partsOf = () => {
  const { db, objects, uploads } = api.context
  return { db, objects, uploads }
}
const readTexts = () => readFileTexts(partsOf(), new AbortController().signal)
const textOf = async (id: string, query = '', email = ada) =>
  ok(await api.call('GET', `/api/files/${id}/text${query}`, undefined, as(email)))
const search = async (words: string, email = ada): Promise<Fields[]> =>
  (await list(`search=${encodeURIComponent(words)}`, email)).data
const found = async (words: string, email = ada) =>
  (await search(words, email)).map(({ id, matches }) => [id, matches.map(({ page }: Fields) => page)])
const pagesOf = async (id: string): Promise<number> =>
  Number(
    (
      await sql<{ n: string }>`select count(*) as n from file_pages where file_id = ${id}`.execute(
        api.context.db,
      )
    ).rows[0]?.n,
  )

test('the words of a file are found on their pages, in any order, by beginnings, and in its name', async () => {
  const one = await company()
  const deck = await upload({
    about: [about(one)],
    fileName: 'Nordlys deck.pdf',
    content: await pdf(['Photonic lenses for Größe', 'Revenue has quadrupled', 'Lenses and revenue of Bøhm']),
  })
  assert.equal((await read(deck.id)).text_state, 'pending')
  assert.deepEqual(await textOf(deck.id), { text_state: 'pending', pages: [] })
  await readTexts()
  const { text_state, text_detail, pages } = await read(deck.id)
  assert.deepEqual([text_state, text_detail, pages], ['done', null, 3])
  assert.deepEqual(await found('LENS revenu'), [[deck.id, [3]]])
  assert.deepEqual(await found('lenses'), [[deck.id, [1, 3]]])
  assert.deepEqual(await found('groesse'), [[deck.id, [1]]])
  assert.deepEqual(await found('boehm'), [[deck.id, [3]]])
  assert.deepEqual(await found('nordl DECK'), [[deck.id, []]])
  for (const words of ['photonic quadrupled', 'deck lenses', 'enses', '. / -'])
    assert.deepEqual(await found(words), [], words)
  const [{ matches }] = (await search('quadrup')) as [Fields]
  assert.deepEqual(matches, [{ page: 2, text: 'Revenue has quadrupled' }])
  assert.deepEqual(await textOf(deck.id, '?page=2'), {
    text_state: 'done',
    pages: [{ page: 2, text: 'Revenue has quadrupled' }],
  })
  assert.equal((await textOf(deck.id)).pages.length, 3)
  const { statusCode, body } = await get(`/api/files/${deck.id}/text?page=4`)
  assert.equal(statusCode, 404)
  assert.match(body, /has no page 4\. It has 3 pages\./)
  assert.equal((await get(`/api/files/${deck.id}/text?page=0`)).statusCode, 400)
})

test('a search counts all files, pages through them, and combines with filters', async () => {
  const one = await company()
  const ids: string[] = []
  for (let n = 0; n < 4; n++)
    ids.unshift(
      (await upload({ about: [about(one)], fileName: `Memo ${n}.txt`, content: `Xylophone ${n}` })).id,
    )
  await readTexts()
  const page = await list('search=xylophone&limit=2&offset=1')
  assert.deepEqual([page.data.map(({ id }: Fields) => id), page.pagination.total], [ids.slice(1, 3), 4])
  assert.equal((await list('search=xylophone&offset=9')).pagination.total, 4)
  assert.equal((await list('search=xylophone&type=pdf')).pagination.total, 0)
  assert.equal((await list(`search=xylophone&about=${one}&sort=name`)).data[0].name, 'Memo 0.txt')
})

test('files of every format are found in quick search with the page', async () => {
  const entries = [about(await company())]
  const files = {
    'Deck.pptx': await pptx([{ text: 'Team' }, { text: 'Zeppelin market' }]),
    'Plan.xlsx': workbook({ Costs: [['Rent']], Sales: [['Zeppelin', 7]] }, 'xlsx'),
    'Memo.docx': await docx(paragraph('A zeppelin')),
    'Zeppelin.txt': 'Nothing',
  }
  for (const [fileName, content] of Object.entries(files)) await upload({ about: entries, fileName, content })
  await readTexts()
  const results = ok(await api.call('GET', '/api/search?q=zeppel'))
  assert.deepEqual(
    results.map(({ type, name, detail, page }: Fields) => [type, name, detail, page]),
    [
      ['file', 'Zeppelin.txt', null, null],
      ['file', 'Memo.docx', 'A zeppelin', 1],
      ['file', 'Plan.xlsx', 'Sheet 2: Sales Zeppelin 7', 2],
      ['file', 'Deck.pptx', 'Slide 2: Zeppelin market', 2],
    ],
  )
  assert.equal(results[0].about[0].id, entries[0]?.id)
})

test('a private file of someone else is not found, and its text is not read', async () => {
  const file = await upload({
    ...{ about: [about(await company())], fileName: 'Own.txt', content: 'Quokka', visibility: 'private' },
  })
  await readTexts()
  assert.deepEqual(await found('quokka'), [[file.id, [1]]])
  assert.deepEqual(await found('quokka', ben), [])
  assert.deepEqual(ok(await api.call('GET', '/api/search?q=quokka', undefined, as(ben))), [])
  for (const url of ['text', 'attachments/0/content'])
    assert.equal((await get(`/api/files/${file.id}/${url}`, ben)).statusCode, 404)
  ok(await patch(file.id, { visibility: 'team' }))
  assert.deepEqual(await found('quokka', ben), [[file.id, [1]]])
})

test('a file in the trash is not found, and is found again after it was restored', async () => {
  const file = await upload({ about: [about(await company())], content: 'Wombat' })
  await readTexts()
  await api.call('DELETE', `/api/files/${file.id}`)
  assert.deepEqual(await found('wombat'), [])
  await api.call('POST', `/api/trash/${file.id}/restore`)
  await readTexts()
  assert.deepEqual(await found('wombat'), [[file.id, [1]]])
  await api.call('DELETE', `/api/files/${file.id}`)
  const admin = await api.call('DELETE', `/api/trash/${file.id}`)
  assert.equal(admin.status, 204, JSON.stringify(admin.body))
  assert.equal(await pagesOf(file.id), 0)
})

test('only the version that is shown is found, also after an undo', async () => {
  const file = await upload({ about: [about(await company())], content: 'Ocelot one' })
  await readTexts()
  const next = await version(file.id, 'Ocelot two lynx')
  assert.deepEqual(await found('ocelot'), [])
  await readTexts()
  assert.deepEqual(await found('lynx'), [[file.id, [1]]])
  assert.equal(await pagesOf(file.id), 1)
  ok(await api.call('POST', `/api/actions/${next.headers['x-action-id']}/undo`))
  await readTexts()
  assert.deepEqual(await found('ocelot one'), [[file.id, [1]]])
  assert.deepEqual(await found('lynx'), [])
  // An earlier version that is read late has no pages.
  const late = await upload({ about: [about(await company())], content: 'Ibex one' })
  await version(late.id, 'Ibex two')
  await readTexts()
  assert.equal(await pagesOf(late.id), 1)
  const states = ok(await api.call('GET', `/api/files/${late.id}/versions`))
  assert.deepEqual(
    states.map((row: Fields) => row.text_state),
    ['done', 'done'],
  )
})

test('files that cannot be read say why', async () => {
  const entries = [about(await company())]
  const scan = await upload({ about: entries, fileName: 'Scan.pdf', content: await pdf(['']) })
  const secret = await upload({
    ...{ about: entries, fileName: 'Secret.pdf', content: await pdf(['x'], { userPassword: 'x' }) },
  })
  const broken = await upload({ about: entries, fileName: 'Broken.pdf', content: '%PDF-1.7 broken' })
  await readTexts()
  const states = await Promise.all([scan, secret, broken].map(({ id }) => read(id)))
  assert.deepEqual(
    states.map(({ text_state, text_detail }) => [text_state, text_detail]),
    [
      ['none', 'It has no text. It may be a scan.'],
      ['encrypted', 'It is protected with a password.'],
      ['unreadable', 'It cannot be read. It may be damaged, or not be what its name says.'],
    ],
  )
})

test('an email shows its header, and its attachments are downloaded safely', async () => {
  const attachment = '<script>alert(1)</script>'
  const email = await upload({
    about: [about(await company())],
    fileName: 'Mail.eml',
    content: eml(attachment),
  })
  const url = `/api/files/${email.id}/attachments/0/content`
  assert.equal((await get(url)).statusCode, 409)
  await readTexts()
  const { details } = await read(email.id)
  assert.deepEqual(details.attachments, [{ name: 'prices.csv', type: 'text/csv', size: attachment.length }])
  assert.equal(details.from, 'Ada Vik <ada@vik.example>')
  const { statusCode, headers, body } = await get(url)
  assert.deepEqual([statusCode, body], [200, attachment])
  assert.equal(headers['content-type'], 'application/octet-stream')
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.match(String(headers['content-security-policy']), /^sandbox; default-src 'none'/)
  assert.match(String(headers['content-disposition']), /^attachment; filename="prices.csv"/)
  const missing = await get(`/api/files/${email.id}/attachments/1/content`)
  assert.equal(missing.statusCode, 404)
  assert.match(missing.body, /has no attachment 1\. It has one: attachment 0\./)
  assert.equal((await get(`/api/files/${email.id}/attachments/x/content`)).statusCode, 400)
  const { db } = api.context
  await sql`update file_versions set scan_state = 'infected' where file_id = ${email.id}`.execute(db)
  assert.equal((await get(url)).statusCode, 409)
})

test('the last upload is read first, and one that the scan has not cleared is not read', async () => {
  const { db } = api.context
  const entries = [about(await company())]
  const first = await upload({ about: entries, fileName: 'First.txt' })
  const last = await upload({ about: entries, fileName: 'Last.txt' })
  await sql`update file_versions set scan_state = 'pending' where file_id = ${last.id}`.execute(db)
  assert.equal((await claimVersion(db))?.file_id, first.id)
  assert.equal(await claimVersion(db), undefined)
  await sql`update file_versions set scan_state = 'clean' where file_id = ${last.id}`.execute(db)
  const later = await upload({ about: entries, fileName: 'Later.txt' })
  assert.equal((await claimVersion(db))?.file_id, later.id)
  await expire()
  await readTexts()
})

const expire = () =>
  sql`update file_versions set text_claimed_at = now() - interval '1 minute' where text_claimed_at is not null`.execute(
    api.context.db,
  )

test('a file whose process has died is read by the next one, but not for ever', async () => {
  const { db } = api.context
  const file = await upload({ about: [about(await company())], content: 'Tapir' })
  for (let attempt = 1; attempt <= 2; attempt++) {
    assert.equal((await claimVersion(db))?.attempts, attempt)
    await readTexts()
    assert.equal((await read(file.id)).text_state, 'pending', 'another process is reading it')
    await expire()
  }
  await claimVersion(db)
  await expire()
  await readTexts()
  const { text_state, text_detail } = await read(file.id)
  assert.deepEqual([text_state, text_detail], ['unreadable', 'Reading it has failed 3 times.'])
})

test('an outage of the object storage is no attempt, and content that is gone is said', async () => {
  const { db, objects, uploads } = api.context
  const file = await upload({ about: [about(await company())], content: 'Okapi' })
  const down = { ...objects, open: () => Promise.reject(new Error('down')) }
  const signal = new AbortController().signal
  for (let attempt = 0; attempt < 5; attempt++) {
    await assert.rejects(readFileTexts({ db, uploads, objects: down }, signal), /storage cannot be read/)
    await expire()
  }
  await readTexts()
  assert.deepEqual(await found('okapi'), [[file.id, [1]]])
  const lost = await upload({ about: [about(await company())], content: 'Lost' })
  await readFileTexts({ db, uploads, objects: { ...objects, open: async () => null } }, signal)
  assert.equal((await read(lost.id)).text_detail, 'Its content is missing in the object storage.')
})

test('a file that the storage refuses, or that lies about its pages, does not hold up the others', async () => {
  const { db, objects, uploads } = api.context
  const entries = [about(await company())]
  const older = await upload({ about: entries, content: 'Numbat' })
  const page = (parent: number) =>
    `<</Type/Page/Parent ${parent} 0 R/MediaBox[0 0 9 9]/Contents 6 0 R/Resources<</Font<</F 7 0 R>>>>>>`
  const shown = 'BT /F 9 Tf (Fossa) Tj ET'
  const objectsOf = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R 5 0 R]/Count 3000000000>>',
    '<</Type/Pages/Parent 2 0 R/Kids[4 0 R]/Count 2999999999>>',
    page(3),
    page(2),
    `<</Length ${shown.length}>>stream\n${shown}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ].map((object, index) => `${index + 1} 0 obj${object}endobj\n`)
  const lying = `%PDF-1.4\n${objectsOf.join('')}trailer<</Root 1 0 R>>\n`
  const long = await upload({ about: entries, fileName: 'Long.pdf', content: lying })
  const refused = await upload({ about: entries, fileName: 'Refused.txt', content: 'Refused' })
  const signal = new AbortController().signal
  const refuse = new Proxy(objects, {
    get: (target, name) =>
      name === 'open' ? () => Promise.reject(new StoreRefusal('refused')) : Reflect.get(target, name),
  })
  for (let attempt = 0; attempt < 3; attempt++) {
    await assert.rejects(readFileTexts({ db, uploads, objects: refuse }, signal), /refused/)
    await sql`update file_versions set text_claimed_at = '2000-01-01' where file_id = ${refused.id}`.execute(
      db,
    )
  }
  await readTexts()
  assert.equal((await read(refused.id)).text_detail, 'Reading it has failed 3 times.')
  assert.deepEqual(await found('numbat'), [[older.id, [1]]])
  const { text_state, pages } = await read(long.id)
  assert.deepEqual([text_state, pages], ['done', null])
})

test('text that was read of a file that has left is not stored', async () => {
  const { db } = api.context
  const file = await upload({ about: [about(await company())], content: 'Dugong' })
  const claimed = await claimVersion(db)
  assert.equal(claimed?.file_id, file.id)
  await api.call('DELETE', `/api/files/${file.id}`)
  const extraction = {
    text_state: 'done',
    text_detail: null,
    pages: 1,
    texts: ['Dugong'],
    details: null,
  } as const
  await saveExtraction(db, claimed as NonNullable<typeof claimed>, {
    ...extraction,
    texts: [...extraction.texts],
  })
  assert.equal(await pagesOf(file.id), 0)
  await readTexts()
  await api.call('POST', `/api/trash/${file.id}/restore`)
  await readTexts()
  assert.deepEqual(await found('dugong'), [[file.id, [1]]])
})

test('the longest text fits into the index', async () => {
  const rare = Array.from({ length: 200_000 }, (_, n) => String.fromCodePoint(0x4e00 + (n % 20_000))).join(
    ' ',
  )
  const file = await upload({ about: [about(await company())], content: `${rare} ${'ö1ä2ü3 '.repeat(10)}` })
  await readTexts()
  const { text_state, pages } = await read(file.id)
  assert.deepEqual([text_state, pages], ['done', 5])
  assert.deepEqual(await found(String.fromCodePoint(0x4e00 + 77)), [[file.id, [1, 2, 3]]])
})
