import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { ada } from '#src/testing/settings.ts'

let api: TestApp
before(async () => {
  api = await testApp()
})
after(() => api.close())

const get = (url: string, encodings?: string) =>
  api.app.inject({
    url,
    headers: { 'x-user-email': ada, ...(encodings && { 'accept-encoding': encodings }) },
  })

test('a large response is compressed for clients that accept it', async () => {
  const plain = await get('/openapi.json')
  assert.equal(plain.headers['content-encoding'], undefined)
  for (const [accepted, encoding, read] of [
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
  ] as const) {
    const { headers, rawPayload } = await get('/openapi.json', accepted)
    assert.equal(headers['content-encoding'], encoding)
    assert.match(String(headers.vary), /accept-encoding/i)
    assert.ok(rawPayload.length < plain.rawPayload.length / 5)
    assert.deepEqual(read(rawPayload), plain.rawPayload)
  }
})

test('a small response, and one for a client that accepts another encoding, is sent as it is', async () => {
  for (const [url, accepted] of [
    ['/api/companies', 'br'],
    ['/openapi.json', 'zstd'],
    ['/openapi.json', 'br;q=0, identity'],
  ] as const) {
    const { statusCode, headers } = await get(url, accepted)
    assert.deepEqual([statusCode, headers['content-encoding']], [200, undefined], accepted)
  }
})

test('the exported CSV is compressed, and is the same as without compression', async () => {
  for (let n = 0; n < 30; n++)
    await api.call('POST', '/api/companies', { name: `Company ${n}`, activity_description: 'é'.repeat(50) })
  const plain = await get('/api/companies/export')
  const { headers, rawPayload } = await get('/api/companies/export', 'gzip')
  assert.equal(headers['content-encoding'], 'gzip')
  assert.deepEqual(gunzipSync(rawPayload), plain.rawPayload)
})

test('a list is compressed, and is the same as without compression', async () => {
  const url = '/api/companies?sort=name'
  const plain = await get(url)
  for (const [accepted, read] of [
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const)
    for (const _time of [1, 2]) {
      const { headers, rawPayload } = await get(url, accepted)
      assert.deepEqual([headers['content-encoding'], headers.vary], [accepted, 'accept-encoding'])
      assert.deepEqual(read(rawPayload), plain.rawPayload)
    }
})

test('a list also varies with the origin where other origins may read it', async () => {
  const origin = 'https://app.example.com'
  const shared = await testApp({ CORS_ORIGINS: origin })
  for (let n = 0; n < 10; n++)
    await shared.call('POST', '/api/companies', {
      name: `Company ${n}`,
      activity_description: 'é'.repeat(50),
    })
  const headers = { 'x-user-email': ada, 'accept-encoding': 'br', origin }
  for (let time = 1; time <= 3; time++) {
    const answer = await shared.app.inject({ url: '/api/companies', headers })
    assert.equal(answer.headers['content-encoding'], 'br')
    assert.match(String(answer.headers.vary), /origin, accept-encoding/i)
  }
  await shared.close()
})

test('an event stream is not compressed, so that each event arrives at once', async () => {
  const { statusCode, headers } = await api.app.inject({
    method: 'HEAD',
    url: '/api/events',
    headers: { 'x-user-email': ada, 'accept-encoding': 'br' },
  })
  assert.deepEqual(
    [statusCode, headers['content-type'], headers['content-encoding']],
    [200, 'text/event-stream; charset=utf-8', undefined],
  )
})

test('a compressed request body is refused', async () => {
  for (const [url, type, text] of [
    ['/api/companies', 'application/json', JSON.stringify({ name: 'Volta' })],
    ['/api/companies/import', 'text/csv', 'name\nVolta\n'],
  ] as const) {
    const send = (encoding: string, payload: Buffer) => {
      const headers = { 'x-user-email': ada, 'content-type': type, 'content-encoding': encoding }
      return api.app.inject({ method: 'POST', url, headers, payload })
    }
    const refused = await send('gzip', gzipSync(text))
    assert.deepEqual(
      [refused.statusCode, refused.json().details, refused.headers['accept-encoding']],
      [415, 'The body must not be compressed. Send it without Content-Encoding: "gzip".', 'identity'],
    )
    assert.equal((await send('x', Buffer.from(text))).statusCode, 415)
    assert.ok((await send('Identity', Buffer.from(text))).statusCode < 300)
  }
  const headers = { 'x-user-email': ada, 'content-encoding': 'gzip' }
  assert.equal((await api.app.inject({ url: '/api/companies', headers })).statusCode, 200)
})
