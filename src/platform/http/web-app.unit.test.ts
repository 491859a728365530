import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { PAGES } from '#src/api-metadata.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'

/** openssl dgst -sha256 -binary | base64 */
const INLINE_HASH = 'fyoFIuhHbxPnDkt80oY6VkZ+KzhXiXlo1mBKEtnhf54='

let folder: string
let api: TestApp
before(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-web-'))
  await mkdir(path.join(folder, 'assets'))
  await writeFile(
    path.join(folder, 'index.html'),
    '<!doctype html><head><title>built</title><meta name="application-name" content="built" />' +
      '<script>inline()</script></head>',
  )
  await writeFile(path.join(folder, 'sources'), 'hash')
  await writeFile(path.join(folder, 'favicon.svg'), '<svg/>')
  await writeFile(path.join(folder, 'assets', 'index-abc.js'), 'script')
  await writeFile(path.join(folder, 'assets', 'index-abc.js.br'), 'brotli')
  await writeFile(path.join(folder, 'assets', 'pdf.worker.min-abc.mjs'), 'worker')
  await writeFile(path.join(folder, 'assets', 'pdf.worker.min-abc.mjs.br'), 'brotli')
  api = await testApp({ RATE_LIMIT_STANDARD: '1000' }, { webFolder: folder })
})
after(async () => {
  await api.close()
  await rm(folder, { recursive: true })
})

const get = (url: string, headers: Record<string, string> = { accept: 'text/html' }) =>
  api.call('GET', url, undefined, { headers })

test('every screen serves the web app, which only runs its own scripts', async () => {
  for (const page of PAGES) {
    const { status, headers, body } = await get(page.replace(':id', 'cmp_x'))
    assert.equal(status, 200, page)
    assert.match(body, /<title>built/, page)
    const policy = String(headers['content-security-policy'])
    assert.ok(policy.includes(`script-src 'self' 'sha256-${INLINE_HASH}';`), policy)
    assert.match(policy, /default-src 'none'/)
    assert.equal(headers['cache-control'], 'no-cache')
    assert.equal(headers['x-frame-options'], 'DENY')
  }
})

test('unknown URLs serve the web app with a 404, and JSON to programs', async () => {
  for (const address of [
    '/nothing',
    '/companies/cmp_x/y',
    '/Home',
    '/apis',
    '//evil.example/',
    '/nothing?x=1',
  ]) {
    const { status, headers, body } = await get(address)
    assert.equal(status, 404, address)
    assert.match(body, /<title>built/, address)
    assert.match(String(headers['content-security-policy']), /script-src 'self' /)
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['ratelimit-limit'], '1000', address)
    assert.equal((await get(address, { accept: '*/*' })).body.error, 'Not found', address)
  }
  for (const address of [
    '/api',
    '/api/nothing',
    '/api?x=1',
    '/assets/nothing',
    '/static/nothing',
    '/docs/nothing',
  ])
    assert.ok((await get(address)).body.error, address)
  const posted = await api.call('POST', '/nothing', undefined, { headers: { accept: 'text/html' } })
  assert.equal(posted.body.error, 'Not found')
})

test('a trailing slash redirects to the screen', async () => {
  for (const screen of ['/home', '/companies/cmp_x', '/pipeline', '/settings']) {
    const { status, headers } = await get(`${screen}/?q=a/`)
    assert.deepEqual([status, headers.location], [308, `${screen}?q=a/`])
  }
  // The service's router sees a company without an id; the web app shows the list.
  assert.equal((await get('/companies/')).status, 200)
  for (const address of ['//evil.example/', '/companies/x/y/', '/nothing/'])
    assert.equal((await get(address)).status, 404, address)
})

test('hashed files are cached forever, others are revalidated', async () => {
  const script = await get('/static/assets/index-abc.js')
  assert.deepEqual([script.status, script.body], [200, 'script'])
  assert.equal(script.headers['cache-control'], 'public, max-age=31536000, immutable')
  assert.match(String(script.headers['content-type']), /javascript/)
  const compressed = await get('/static/assets/index-abc.js', { 'accept-encoding': 'gzip, br' })
  assert.deepEqual([compressed.headers['content-encoding'], compressed.body], ['br', 'brotli'])
  assert.equal((await get('/static/favicon.svg')).headers['cache-control'], 'no-cache')
})

test('the worker that reads PDFs may compile WebAssembly, and load or run nothing else', async () => {
  const policy = "default-src 'none'; script-src 'wasm-unsafe-eval'; frame-ancestors 'none'"
  for (const encoding of ['identity', 'br']) {
    const worker = await get('/static/assets/pdf.worker.min-abc.mjs', { 'accept-encoding': encoding })
    assert.equal(worker.headers['content-security-policy'], policy, encoding)
    assert.match(String(worker.headers['content-type']), /javascript/)
  }
  const script = await get('/static/assets/index-abc.js')
  assert.doesNotMatch(String(script.headers['content-security-policy']), /wasm/)
})

test('no other files inside or outside the folder are served', async () => {
  for (const file of ['index.html', 'sources', 'assets/nothing.js', 'assets/../index.html'])
    assert.equal((await get(`/static/${file}`)).status, 404, file)
  for (const file of ['assets/', '..%2f..%2fetc/passwd', 'assets/..%2f..%2fx', '%00'])
    assert.ok([400, 403, 404].includes((await get(`/static/${file}`)).status), file)
})

test('without a built web app, a page explains how to build it', async () => {
  const without = await testApp()
  try {
    const page = await without.call('GET', '/home', undefined, { headers: { accept: 'text/html' } })
    assert.equal(page.status, 200)
    assert.match(page.body, /npm run build:web/)
    assert.equal((await without.call('GET', '/static/assets/index-abc.js')).status, 404)
  } finally {
    await without.close()
  }
})

test('WORKSPACE_NAME is the title and the name of the page, escaped', async () => {
  const named = await testApp({ WORKSPACE_NAME: 'Byrne & "Cole" <Fund $1>' }, { webFolder: folder })
  const { body } = await named.call('GET', '/home', undefined, { headers: { accept: 'text/html' } })
  await named.close()
  const name = 'Byrne &amp; &quot;Cole&quot; &lt;Fund $1&gt;'
  assert.ok(body.includes(`<title>${name}</title>`), body)
  assert.ok(body.includes(`<meta name="application-name" content="${name}" />`), body)
})
