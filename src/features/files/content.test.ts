import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { about, filesOf, ok } from './files.fixture.ts'

let api: TestApp
let one: string
before(async () => {
  api = await testApp({ EMBEDDINGS: 'off' })
  one = await company()
})
after(() => api.close())

const { upload, company, get, read } = filesOf(() => api)

const PDF = Buffer.from('%PDF-1.4\n%âãÏÓ\n1 0 obj<<>>endobj\n%%EOF\n')
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const SCRIPT = '<script>alert(document.domain)</script>'

/** Headers that keep a browser from running anything. */
function assertHarmless(headers: Record<string, unknown>) {
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.equal(headers['content-security-policy'], "sandbox; default-src 'none'; frame-ancestors 'self'")
  assert.equal(headers['x-frame-options'], 'SAMEORIGIN')
}

test('active content is sent as unknown bytes for saving, and never inline', async () => {
  const contents: [string, string | Buffer, string][] = [
    ['page.html', `<!doctype html><title>x</title>${SCRIPT}`, 'text/html'],
    ['picture.png', `<svg xmlns="http://www.w3.org/2000/svg">${SCRIPT}</svg>`, 'image/svg+xml'],
    [
      'page.txt',
      `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">${SCRIPT}</html>`,
      'text/html',
    ],
    ['feed.pdf', '<?xml version="1.0"?><rss></rss>', 'application/xml'],
    ['mail.eml', 'From: a@b.example\nTo: c@d.example\nDate: now\nSubject: Hi\n\nText', 'message/rfc822'],
    ['program.pdf', Buffer.concat([Buffer.from('MZ'), Buffer.alloc(200)]), 'application/x-msdownload'],
  ]
  for (const [fileName, content, type] of contents) {
    const file = await upload({ about: [about(one)], fileName, content })
    assert.deepEqual([file.type, file.preview], [type, null], fileName)
    const sent = await get(`/api/files/${file.id}/content`)
    assert.equal(sent.headers['content-type'], 'application/octet-stream', fileName)
    assert.match(String(sent.headers['content-disposition']), /^attachment;/)
    assertHarmless(sent.headers)
    const inline = await get(`/api/files/${file.id}/content?disposition=inline`)
    assert.equal(inline.statusCode, 400)
    assert.match(inline.json().details, /^disposition must be attachment for this file/)
  }
})

test('PDF files and pictures can be shown in a frame of the service, in a sandbox', async () => {
  for (const [content, type, preview] of [
    [PDF, 'application/pdf', 'pdf'],
    [PNG, 'image/png', 'image'],
  ] as const) {
    const { id, ...file } = await upload({ about: [about(one)], fileName: `x.${preview}`, content })
    assert.deepEqual([file.type, file.preview], [type, preview])
    const sent = await get(`/api/files/${id}/content?disposition=inline`)
    assert.equal(sent.headers['content-type'], type)
    assert.match(String(sent.headers['content-disposition']), /^inline;/)
    assertHarmless(sent.headers)
    assert.deepEqual(sent.rawPayload, content)
  }
})

test('content has an ETag, answers conditions and ranges, and is never compressed', async () => {
  const content = Buffer.from('0123456789'.repeat(400))
  const { id, sha256, size } = await upload({ about: [about(one)], fileName: 'digits.txt', content })
  const url = `/api/files/${id}/content`
  const whole = await get(url, undefined, { 'accept-encoding': 'gzip' })
  assert.deepEqual(
    [whole.headers.etag, whole.headers['content-length'], whole.headers['content-encoding']],
    [`"${sha256}"`, String(size), undefined],
  )
  assert.equal(whole.headers['content-type'], 'text/plain; charset=utf-8')
  assert.match(String(whole.headers['cache-control']), /^private/)
  assert.equal((await get(url, undefined, { 'if-none-match': `"${sha256}"` })).statusCode, 304)
  const part = await get(url, undefined, { range: 'bytes=3-12' })
  assert.deepEqual(
    [part.statusCode, part.body, part.headers['content-range']],
    [206, '3456789012', `bytes 3-12/${size}`],
  )
  assertHarmless(part.headers)
  assert.equal((await get(url, undefined, { range: 'bytes=-4' })).body, '6789')
  const beyond = await get(url, undefined, { range: 'bytes=9999-' })
  assert.deepEqual([beyond.statusCode, beyond.headers['content-range']], [416, `bytes */${size}`])
  const other = await get(url, undefined, { range: 'bytes=0-1', 'if-range': '"other"' })
  assert.deepEqual([other.statusCode, other.body.length], [200, size])
  const head = await api.app.inject({ method: 'HEAD', url })
  assert.deepEqual([head.statusCode, head.body, head.headers['content-length']], [200, '', String(size)])
})

test('content that is not scanned yet, or infected, cannot be downloaded or previewed', async () => {
  const { id } = await upload({ about: [about(one)], fileName: 'scanned.pdf', content: PDF })
  for (const [scan_state, expected] of [
    ['pending', /not been scanned.*yet/],
    ['infected', /found something/],
  ] as const) {
    await api.context.db.updateTable('file_versions').set({ scan_state }).where('file_id', '=', id).execute()
    const { statusCode, body } = await get(`/api/files/${id}/content`)
    assert.equal(statusCode, 409)
    assert.match(JSON.parse(body).details, expected)
    assert.equal((await read(id)).preview, null)
  }
})

test('while the object storage is down or has lost the content, the answer is a 503', async () => {
  const { id } = await upload({ about: [about(one)], fileName: 'lost.txt', content: 'x' })
  const { open } = api.context.objects
  api.context.objects.open = () => Promise.reject(new Error('secret address'))
  const down = await get(`/api/files/${id}/content`)
  api.context.objects.open = open
  assert.deepEqual([down.statusCode, down.json().details], [503, 'The object storage cannot be read.'])
  const rows = await api.context.db
    .selectFrom('file_versions')
    .selectAll()
    .where('file_id', '=', id)
    .execute()
  await api.context.objects.delete(rows.map(({ object_key }) => object_key))
  const lost = await get(`/api/files/${id}/content`)
  assert.deepEqual(
    [lost.statusCode, lost.json().details],
    [503, 'The object storage does not have the content of this file.'],
  )
})

test('files can be filtered and sorted by their fields', async () => {
  const other = await company('Filtered')
  for (const [fileName, content] of [
    ['b.pdf', PDF],
    ['a.png', PNG],
    ['c.txt', 'Text'],
  ] as const)
    await upload({ about: [about(other)], fileName, content })
  const names = async (query: string) => {
    const { data } = (await api.call('GET', `/api/files?about=${other}&${query}`)).body
    return data.map(({ name }: { name: string }) => name)
  }
  assert.deepEqual(await names(''), ['c.txt', 'a.png', 'b.pdf'])
  assert.deepEqual(await names('sort=name'), ['a.png', 'b.pdf', 'c.txt'])
  assert.deepEqual(await names('sort=size'), ['c.txt', 'b.pdf', 'a.png'])
  assert.deepEqual(await names('type=pdf&type=image'), ['a.png', 'b.pdf'])
  const filter = (leaf: object) => names(`filter=${encodeURIComponent(JSON.stringify(leaf))}`)
  assert.deepEqual(await filter({ field: 'type', op: 'eq', value: 'text' }), ['c.txt'])
  assert.deepEqual(await filter({ field: 'size', op: 'lt', value: 10 }), ['c.txt'])
  assert.deepEqual(await filter({ field: 'about', op: 'eq', value: other }), ['c.txt', 'a.png', 'b.pdf'])
  assert.deepEqual(await filter({ field: 'uploaded_at', op: 'lt', value: '-1d' }), [])
  ok(await api.call('GET', '/api/fields?entity=file'))
})

test('lists of files, notes, and tasks refuse filters that cannot match anything', async () => {
  const ABOUT =
    'about must be the id of a company, deal, person, or thesis, which begins with cmp_, df_, per_, or th_, not "Acme".'
  const userOf = (name: string, others = '') =>
    `${name} must be an email address such as ada@example.com, or me${others}, not "ada".`
  for (const [url, details] of [
    ['files?about=Acme', ABOUT],
    ['notes?about=Acme', ABOUT],
    ['tasks?about=cmp_x&about=Acme', ABOUT],
    ['files?uploaded_by=ada', userOf('uploaded_by')],
    ['notes?author_email=me&author_email=ada', userOf('author_email')],
    ['notes?mentions=ada', userOf('mentions')],
    ['tasks?assignee=ada', userOf('assignee', ', or none')],
    ['tasks?author_email=ada', userOf('author_email')],
    ['companies?owner_email=ada', userOf('owner_email')],
  ]) {
    const { status, body } = await api.call('GET', `/api/${url}`)
    assert.deepEqual([status, body.details], [400, details], url)
  }
  for (const query of [
    'about=cmp_x&about=th_x&about=per_x&about=df_x',
    'uploaded_by=ME',
    'uploaded_by=a@b.c',
  ])
    assert.equal((await api.call('GET', `/api/files?${query}`)).status, 200, query)
})
