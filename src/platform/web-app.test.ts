import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { type TestApp, testApp } from '#src/testing.ts'
import { PAGES } from './web-app.ts'

let folder: string
let api: TestApp
before(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-web-'))
  await mkdir(path.join(folder, 'assets'))
  await writeFile(path.join(folder, 'index.html'), '<!doctype html><title>built</title>')
  await writeFile(path.join(folder, 'sources'), 'hash')
  await writeFile(path.join(folder, 'color-scheme.js'), 'scheme')
  await writeFile(path.join(folder, 'assets', 'index-abc.js'), 'script')
  await writeFile(path.join(folder, 'assets', 'index-abc.js.br'), 'brotli')
  api = await testApp({}, { webFolder: folder })
})
after(async () => {
  await api.close()
  await rm(folder, { recursive: true })
})

const get = (url: string, headers: Record<string, string> = { accept: 'text/html' }) =>
  api.call('GET', url, undefined, { headers })

test('every screen has the page of the web app, which runs scripts of this service only', async () => {
  for (const page of PAGES) {
    const { status, headers, body } = await get(page.replace(':id', 'cmp_x'))
    assert.equal(status, 200, page)
    assert.match(body, /<title>built/, page)
    const policy = String(headers['content-security-policy'])
    assert.match(policy, /script-src 'self';/)
    assert.match(policy, /default-src 'none'/)
    assert.equal(headers['cache-control'], 'no-cache')
    assert.equal(headers['x-frame-options'], 'DENY')
  }
  assert.equal((await get('/companies/cmp_x/y')).status, 404)
})

test('files with a version in their names are kept for good, others are asked for each time', async () => {
  const script = await get('/static/assets/index-abc.js')
  assert.deepEqual([script.status, script.body], [200, 'script'])
  assert.equal(script.headers['cache-control'], 'public, max-age=31536000, immutable')
  assert.match(String(script.headers['content-type']), /javascript/)
  const compressed = await get('/static/assets/index-abc.js', { 'accept-encoding': 'gzip, br' })
  assert.deepEqual([compressed.headers['content-encoding'], compressed.body], ['br', 'brotli'])
  assert.equal((await get('/static/color-scheme.js')).headers['cache-control'], 'no-cache')
})

test('nothing else of the folder, and nothing outside of it, is served', async () => {
  for (const file of ['index.html', 'sources', 'assets/nothing.js', 'assets/../index.html'])
    assert.equal((await get(`/static/${file}`)).status, 404, file)
  for (const file of ['assets/', '..%2f..%2fetc/passwd', 'assets/..%2f..%2fx', '%00'])
    assert.ok([400, 403, 404].includes((await get(`/static/${file}`)).status), file)
})

test('where the web app has not been built, a page says how', async () => {
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
