import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { Objects } from './objects.ts'
import { s3Objects } from './s3.ts'

const CONTENT = Buffer.from('name,website\nAcme,acme.example\n'.repeat(50))
const KEY = 'companies/cmp_1/source.csv'

type Answer = (key: string, request: IncomingMessage, response: ServerResponse) => unknown
const closes: (() => void)[] = []
after(() => {
  for (const close of closes) close()
})

/** A store that answers as the function does, which gets '' as the key of the bucket itself. */
async function storeWith(answer: Answer, idleMs?: number): Promise<Objects> {
  const server = createServer((request, response) => {
    request.resume()
    const key = new URL(request.url ?? '', 'http://store').pathname.split('/').slice(2).join('/')
    answer(key, request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closes.push(() => server.close().closeAllConnections())
  return s3Objects(
    {
      endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      region: 'us-east-1',
      bucket: 'deals',
      credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
      forcePathStyle: true,
    },
    'companies/probe/profile.json',
    idleMs,
  )
}

const check = (store: Objects) => store.check?.(AbortSignal.timeout(5000))

/** Serves one object with these headers, as a store or proxy that does not support ranges. */
const serving =
  (headers: Record<string, string | number>, content: Buffer): Answer =>
  (key, { method }, response) => {
    if (key !== KEY) return response.writeHead(404).end()
    response.writeHead(200, { etag: 'W/"1"', ...headers })
    if (method !== 'HEAD') response.write(content)
    response.end()
  }

test('keys that may not list the bucket are enough if objects can be read', async () => {
  for (const status of [200, 404]) {
    const store = await storeWith((key, _request, response) =>
      response.writeHead(key.startsWith('companies/') ? status : 403).end(),
    )
    await check(store)
  }
})

test('keys that may not read objects are refused, with the missing permissions', async () => {
  const store = await storeWith((_key, _request, response) => response.writeHead(403).end())
  await assert.rejects(async () => check(store), {
    isRefusal: true,
    message: /^The bucket deals cannot be used: access is denied \(403\); .*s3:GetObject.*s3:ListBucket/,
  })
})

test('a missing bucket is refused', async () => {
  const store = await storeWith((_key, _request, response) => response.writeHead(404).end())
  await assert.rejects(async () => check(store), { isRefusal: true, message: /does not exist \(404\)/ })
})

test('a failing store is no refusal', async () => {
  const store = await storeWith((key, _request, response) => response.writeHead(key ? 500 : 403).end())
  await assert.rejects(
    async () => check(store),
    (error: { isRefusal?: boolean }) => !error.isRefusal,
  )
})

for (const [title, headers, content] of [
  ['without a length', {}, CONTENT],
  ['with a length, but without ranges', { 'content-length': CONTENT.length }, CONTENT],
  ['compressed by a proxy', { 'content-encoding': 'gzip' }, gzipSync(CONTENT)],
  [
    'compressed, with the length of that',
    { 'content-encoding': 'br', 'content-length': brotliCompressSync(CONTENT).length },
    brotliCompressSync(CONTENT),
  ],
  ['with the encoding of its upload', { 'content-encoding': 'aws-chunked' }, CONTENT],
] as const)
  test(`an object ${title} is read as it was stored`, async () => {
    const store = await storeWith(serving(headers, content))
    const description = { size: CONTENT.length, etag: '"1"', modified: new Date(0) }
    assert.deepEqual(await store.read(KEY), CONTENT)
    assert.deepEqual(await store.describe(KEY), description)
    const whole = await store.open(KEY)
    assert.ok(whole)
    const { body, ...found } = whole
    assert.deepEqual(found, description)
    assert.deepEqual(await buffer(body), CONTENT)
    const part = await store.open(KEY, { start: 5, end: 11 })
    assert.ok(part)
    assert.equal(part.size, CONTENT.length)
    assert.equal(String(await buffer(part.body)), 'website')
    assert.equal(await store.open(KEY, { start: CONTENT.length, end: CONTENT.length + 5 }), null)
    assert.equal(await store.open('companies/cmp_2/source.csv'), null)
  })

test('an unknown encoding is an error that names it', async () => {
  const store = await storeWith(serving({ 'content-encoding': 'zstd' }, CONTENT))
  await assert.rejects(store.read(KEY), /unknown content encoding zstd/)
})

test('a download that its reader pauses goes on', async () => {
  const content = Buffer.alloc(16 * 1024 * 1024, 'x')
  const store = await storeWith(serving({ 'content-length': content.length }, content), 200)
  const opened = await store.open(KEY)
  let length = 0
  for await (const chunk of opened?.body ?? []) {
    if (length === 0) await sleep(1000)
    length += chunk.length
  }
  assert.equal(length, content.length)
})

test('a download of which the store sends no more ends with an error', async () => {
  const store = await storeWith((_key, _request, response) => {
    response.writeHead(200, { etag: '"1"', 'content-length': CONTENT.length }).write(CONTENT.subarray(5))
  }, 200)
  const opened = await store.open(KEY)
  assert.ok(opened)
  await assert.rejects(buffer(opened.body), /The store has sent nothing for 200 ms/)
  await assert.rejects(store.read(KEY), /The store has sent nothing for 200 ms/)
})

test('an error of which the store sends no more ends too', async () => {
  const store = await storeWith((_key, _request, response) => {
    response.writeHead(403, { 'content-length': 100 }).write('<')
  }, 200)
  await assert.rejects(store.open(KEY), { name: 'AbortError' })
})

for (const [title, permission, work] of [
  ['deletion', 's3:DeleteObject', (store: Objects) => store.delete([KEY])],
  ['file', 's3:PutObject', (store: Objects) => store.writeFile(KEY, import.meta.filename)],
] as const)
  test(`a refused ${title} names the missing permission`, async () => {
    const store = await storeWith((_key, _request, response) => response.writeHead(403).end())
    await assert.rejects(work(store), { isRefusal: true, message: RegExp(`Allow the keys ${permission}`) })
  })
