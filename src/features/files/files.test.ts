import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { ada } from '#src/testing/settings.ts'
import { about, as, type Fields, filesOf, ok } from './files.fixture.ts'

const [ben, cleo] = ['ben@example.com', 'cleo@example.com']
let api: TestApp
before(async () => {
  api = await testApp({ EMBEDDINGS: 'off' })
  for (const email of [ada, ben, cleo]) await api.call('GET', `/api/users/${email}`)
})
after(() => api.close())

const { send, post, create, upload, version, company, read, get, patch, list } = filesOf(() => api)
const PDF = '%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n'
const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')

/** The objects of files, and the rows that promise them. */
async function stored() {
  const keys: string[] = []
  for await (const key of api.context.objects.list()) if (key.startsWith('files/')) keys.push(key)
  const rows = await api.context.db.selectFrom('file_versions').select('object_key').execute()
  const pending = await api.context.db.selectFrom('pending_uploads').selectAll().execute()
  return { keys: keys.sort(), rows: rows.map(({ object_key }) => object_key).sort(), pending }
}

test('a file is uploaded with its type and hash, read, listed, downloaded, changed, and kept in the history', async () => {
  const [one, two] = [await company('One'), await company('Two')]
  const deal = (await create('/api/dealflow', { company_id: two, stage: 'meeting' })).id
  const entries = [about(one), about(deal, 'deal')]
  const { status, body, headers } = await post({ about: entries, content: PDF, fileName: 'Pitch deck.pdf' })
  assert.equal(status, 201)
  assert.match(String(headers['x-action-id']), /^ax_/)
  const { id, created_at, updated_at, uploaded_at, ...fields } = body.data
  assert.match(id, /^file_/)
  assert.equal(created_at, updated_at)
  assert.ok(Math.abs(Date.parse(uploaded_at) - Date.parse(created_at)) < 5_000)
  assert.deepEqual(fields, {
    ...{ name: 'Pitch deck.pdf', type: 'application/pdf', size: PDF.length, sha256: sha256(PDF) },
    ...{ version: 1, versions: 1, visibility: 'team', uploaded_by: ada, preview: 'pdf' },
    has_infected_version: false,
    about: entries.map((entry, index) => ({ ...entry, name: ['One', 'Two'][index] })),
    ...{ scan_state: 'off', scan_detail: null, text_state: 'pending', text_detail: null },
    ...{ pages: null, details: null },
  })
  assert.deepEqual(await read(id, ben), body.data)
  for (const query of [`about=${one}`, `about=${two}`, `uploaded_by=me`])
    assert.deepEqual((await list(query)).data, [body.data], query)
  assert.deepEqual((await list('type=pdf&search=DECK')).data, [{ ...body.data, matches: [] }])
  for (const query of ['type=image', 'search=other', `uploaded_by=${ben}`, 'visibility=private'])
    assert.deepEqual((await list(query)).data, [], query)

  const content = await get(`/api/files/${id}/content`)
  assert.equal(content.statusCode, 200)
  assert.equal(content.body, PDF)
  const changed = ok(await patch(id, { name: ' Seed  deck.pdf ', about: [about(two)] }))
  assert.deepEqual([changed.name, changed.about], ['Seed deck.pdf', [{ ...about(two), name: 'Two' }]])
  assert.equal(ok(await patch(id, changed)).updated_at, changed.updated_at)
  const history = ok(await api.call('GET', `/api/files/${id}/history`))
  assert.deepEqual(
    history.map(({ field }: Fields) => field).sort(),
    [`about.${deal}`, `about.${one}`, `about.${two}`, 'name'].sort(),
  )
})

test('the same name about the same record is a new version, in any case; the same content changes nothing', async () => {
  const [one, other] = [await company(), await company()]
  const first = await upload({ about: [about(one)], content: 'First', fileName: 'Memo É.txt' })
  const next = await post({ about: [about(one)], content: 'Second', fileName: 'memo e\u0301.TXT' }, ben)
  assert.equal(next.status, 201)
  assert.deepEqual(
    [next.body.data.id, next.body.data.version, next.body.data.versions, next.body.data.name],
    [first.id, 2, 2, 'Memo É.txt'],
  )
  const same = await post({ about: [about(one)], content: 'Second', fileName: 'Memo É.txt' })
  assert.equal(same.status, 200)
  assert.deepEqual(same.body.data, next.body.data)
  assert.equal(same.headers['x-action-id'], undefined)
  assert.notEqual((await upload({ about: [about(other)], fileName: 'Memo É.txt' })).id, first.id)
  const versions = ok(await api.call('GET', `/api/files/${first.id}/versions`))
  assert.deepEqual(
    versions.map((row: Fields) => [row.version, row.size, row.uploaded_by]),
    [
      [2, 6, ben],
      [1, 5, ada],
    ],
  )
  assert.equal((await get(`/api/files/${first.id}/content?version=1`)).body, 'First')
  assert.equal((await get(`/api/files/${first.id}/content`)).body, 'Second')
  assert.equal((await get(`/api/files/${first.id}/content?version=9`)).statusCode, 404)
  const third = ok(await version(first.id, PDF))
  assert.deepEqual([third.version, third.type, third.name], [3, 'application/pdf', 'Memo É.txt'])
  const previews = ok(await api.call('GET', `/api/files/${first.id}/versions`))
  assert.deepEqual(
    previews.map((row: Fields) => row.preview),
    ['pdf', null, null],
  )
  const undone = await api.call('POST', `/api/actions/${next.headers['x-action-id']}/undo`)
  assert.equal(undone.body.data.skipped[0].reason, 'changed_since')
  const { keys, rows, pending } = await stored()
  assert.deepEqual([keys, pending], [rows, []])
})

test('undoing an upload removes the file, and undoing a version shows the earlier one again', async () => {
  const one = await company()
  const created = await post({ about: [about(one)], content: 'First' })
  const { id } = created.body.data
  const next = await version(id, 'Second')
  ok(await api.call('POST', `/api/actions/${next.headers['x-action-id']}/undo`))
  const back = await read(id)
  assert.deepEqual([back.version, back.versions, back.sha256], [1, 2, sha256('First')])
  assert.equal(ok(await version(id, 'Third')).version, 3)
  const { headers } = await post({ about: [about(one)], fileName: 'Other.txt' })
  ok(await api.call('POST', `/api/actions/${headers['x-action-id']}/undo`))
  assert.deepEqual(
    (await list(`about=${one}`)).data.map((file: Fields) => file.id),
    [id],
  )
})

test('fields of a form may come after its file', async () => {
  const one = await company()
  const uploaded = await send('/api/files', [
    ['name', 'Deck.txt'],
    ['file', 'x', 'x.txt'],
    ['about', JSON.stringify([about(one)])],
    ['visibility', 'private'],
  ])
  const { name, visibility, about: records } = ok(uploaded)
  assert.deepEqual([name, visibility, records[0].id], ['Deck.txt', 'private', one])
})

test('wrong input is a 400 that names the field and says what is allowed, and stores nothing', async () => {
  const one = await company()
  const before = await stored()
  const json = JSON.stringify([about(one)])
  const file = ['file', 'x', 'x.txt'] as const
  const cases: [RegExp, Parameters<typeof send>[1]][] = [
    [/^about is required/, [file as never]],
    [/^about must be JSON/, [['about', '[{'], file as never]],
    [/^about must be JSON/, [['about', '['.repeat(5000)], file as never]],
    [/^about must/, [['about', '[]'], file as never]],
    [
      /^about\[0\]\.id/,
      [['about', JSON.stringify([about('cmp_01jw3f8x5zfq2v5n6k7m8p9r0s')])], file as never],
    ],
    [/^visibility must be/, [['about', json], ['visibility', 'world'], file as never]],
    [/unknown/, [['about', json], ['color', 'red'], file as never]],
    [/only once/, [['about', json], ['about', json], file as never]],
    [/must have one file/, [['about', json]]],
    [/^visibility must be/, [['about', json], file as never, ['visibility', 'world']]],
    [/only once/, [['about', json], file as never, ['about', json]]],
    [/must have one file/, [['about', json], file as never, file as never]],
    [
      /must be a file/,
      [
        ['about', json],
        ['file', 'text'],
      ],
    ],
    [
      /empty/,
      [
        ['about', json],
        ['file', '', 'x.txt'],
      ],
    ],
    [/^name must be/, [['about', json], ['name', '../..'], file as never]],
  ]
  for (const [expected, parts] of cases) {
    const { status, body } = await send('/api/files', parts)
    assert.equal(status, 400, `${expected} ${JSON.stringify(body)}`)
    assert.match(body.details, expected)
  }
  assert.equal((await api.call('POST', '/api/files', { about: [about(one)] })).status, 415)
  const { id } = await upload({ about: [about(one)] })
  const named = await send(`/api/files/${id}/versions`, [
    ['name', 'x'],
    ['file', 'x', 'x'],
  ])
  assert.match(named.body.details, /no field besides file/)
  for (const [fields, expected] of [
    [{ name: '' }, /^name/],
    [{ about: [] }, /^about/],
    [{ size: 3 }, undefined],
  ] as const) {
    const { status, body } = await patch(id, fields)
    assert.equal(status, expected ? 400 : 200)
    if (expected) assert.match(body.details, expected)
  }
  const after = await stored()
  assert.equal(after.keys.length, before.keys.length + 1)
  assert.deepEqual(after.pending, [])
})

test('names lose folders, control characters, and characters that reverse text', async () => {
  const one = await company()
  for (const [name, expected] of [
    ['../../etc/passwd', 'passwd'],
    ['..\\..\\C:\\deck.pdf', 'deck.pdf'],
    ['a\u0000b\tc.pdf', 'a b c.pdf'],
    ['invoice\u202Efdp.exe', 'invoicefdp.exe'],
    ['../../x\r\nSet-Cookie: a', 'x Set-Cookie: a'],
    [`${'ä'.repeat(300)}.pdf`, `${'ä'.repeat(251)}.pdf`],
  ] as const) {
    const file = await upload({ about: [about(one)], name })
    assert.equal(file.name, expected)
    const { headers } = await get(`/api/files/${file.id}/content`)
    assert.match(
      String(headers['content-disposition']),
      /^attachment; filename="[ -~]*"; filename\*=UTF-8''[!-~]*$/,
    )
  }
})

test('a private file does not exist for others', async () => {
  const one = await company()
  const file = await upload({ about: [about(one)], visibility: 'private', fileName: 'Secret.txt' })
  for (const [method, url] of [
    ['GET', `/api/files/${file.id}`],
    ['GET', `/api/files/${file.id}/content`],
    ['GET', `/api/files/${file.id}/history`],
    ['GET', `/api/files/${file.id}/versions`],
    ['PATCH', `/api/files/${file.id}`],
    ['DELETE', `/api/files/${file.id}`],
  ] as const) {
    const body = method === 'PATCH' ? { name: 'x' } : undefined
    assert.equal((await api.call(method, url, body, as(ben))).status, 404, url)
  }
  assert.equal((await version(file.id, 'x', ben)).status, 404)
  assert.deepEqual((await list(`about=${one}`, ben)).data, [])
  // A file of the team with this name is another one, so that nothing private becomes visible.
  const team = await upload({ about: [about(one)], fileName: 'Secret.txt' })
  assert.notEqual(team.id, file.id)
  assert.equal((await patch(file.id, { visibility: 'team' }, ben)).status, 404)
  ok(await patch(file.id, { visibility: 'team' }))
  assert.equal((await read(file.id, ben)).id, file.id)
  assert.equal((await patch(file.id, { visibility: 'private' }, ben)).status, 403)
})
