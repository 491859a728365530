import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { after, before, test } from 'node:test'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { ada } from '#src/testing/settings.ts'

let api: TestApp
let origin: string
before(async () => {
  api = await testApp()
  origin = await api.app.listen({ port: 0, host: '127.0.0.1' })
})
after(() => api.close())

const LATIN1 = Buffer.from('{"name": "Caf\xe9"}', 'latin1')
const UTF16 = Buffer.from('\ufeff{"name": "Caf\xe9"}', 'utf16le')
const UTF8 = Buffer.from('{"name": "Café"}')

interface Sent {
  method?: string
  path?: string
  type?: string
  isChunked?: boolean
}

async function send(
  body: Buffer,
  { method = 'POST', path = '/api/companies', type = 'application/json', isChunked = false }: Sent = {},
) {
  const response = await fetch(origin + path, {
    method,
    headers: { 'x-user-email': ada, ...(type && { 'content-type': type }) },
    ...(isChunked
      ? {
          body: Readable.toWeb(Readable.from([...body].map((byte) => Buffer.of(byte)))) as ReadableStream,
          duplex: 'half',
        }
      : { body: Uint8Array.from(body) }),
  } as RequestInit)
  return { status: response.status, body: await response.json() }
}

test('a body that is not valid UTF-8 is a 400 on every kind of route, and nothing is stored', async () => {
  const { total } = (await api.call('GET', '/api/companies')).body.pagination
  for (const body of [
    LATIN1,
    UTF16,
    Buffer.concat([UTF8.subarray(0, -3), Buffer.of(0xc3), UTF8.subarray(-2)]),
    Buffer.from('7b226e616d65223a22eda080227d', 'hex'),
    Buffer.from('7b226e616d65223a22c080227d', 'hex'),
  ])
    for (const isChunked of [false, true])
      for (const type of ['application/json', 'application/json; charset=utf-8', ''])
        for (const route of [
          { method: 'POST', path: '/api/companies' },
          { method: 'PATCH', path: '/api/companies/cmp_none' },
          { method: 'PUT', path: '/api/dealflow/stages/config' },
          { method: 'POST', path: '/api/feedback' },
          { method: 'POST', path: '/api/companies/query' },
        ]) {
          const answer = await send(body, { ...route, type, isChunked })
          assert.equal(answer.status, 400, JSON.stringify([route, type, isChunked, answer.body]))
          assert.match(answer.body.details, /^The body must be UTF-8\./)
        }
  assert.equal((await api.call('GET', '/api/companies')).body.pagination.total, total)
})

test('a charset other than UTF-8 is a 400 that names it', async () => {
  for (const charset of ['latin1', 'iso-8859-1', '"windows-1252"', 'utf-16', 'UTF-7']) {
    const { status, body } = await send(LATIN1, { type: `application/json; charset=${charset}` })
    assert.equal(status, 400, charset)
    assert.match(body.details, /^The charset of the Content-Type must be utf-8, not "/)
    assert.ok(body.details.includes(charset.replaceAll('"', '')))
  }
})

test('UTF-8 is accepted however it is declared, with and without a byte order mark', async () => {
  const marked = Buffer.concat([Buffer.of(0xef, 0xbb, 0xbf), UTF8])
  for (const body of [UTF8, marked])
    for (const isChunked of [false, true])
      for (const parameter of ['', '; charset=utf8', '; charset="UTF-8"', ';charset=utf-8', '; charset='])
        for (const type of [`application/json${parameter}`]) {
          const answer = await send(body, { type, isChunked })
          assert.equal(answer.status, 201, JSON.stringify([type, answer.body]))
          assert.equal(answer.body.data.name, 'Café')
        }
})

test('a query or path that cannot be decoded is a 400', async () => {
  for (const query of [
    'search=Caf%E9',
    'search=100%',
    'industry_category=%zz',
    'status=a&search=%C3%28',
    '%E9=1',
  ]) {
    for (const path of ['/api/companies', '/api/dealflow', '/api/theses', '/api/users']) {
      const { status, body } = await api.call('GET', `${path}?${query}`)
      assert.equal(status, 400, query)
      assert.match(body.details, /in the query must be percent-encoded UTF-8/)
      assert.ok(body.details.includes(query.split('&').at(-1)), body.details)
    }
    assert.notEqual((await api.call('GET', `/companies?${query}`)).status, 400, 'pages of the web app')
  }
  for (const path of ['/api/companies/%E9', '/api/tags/100%', '/assets/companies/%zz/profile.json'])
    assert.equal((await api.call('GET', path)).status, 400, path)
  const { status } = await api.call('GET', '/api/companies?search=Caf%C3%A9+100%25&_=%')
  assert.equal(status, 400)
  assert.equal((await api.call('GET', '/api/companies?search=Caf%C3%A9+100%25')).body.pagination.total, 0)
  assert.ok((await api.call('GET', '/api/companies?search=Caf%C3%A9')).body.pagination.total > 0)
})

test("the texts of an identity provider's callback may have any encoding", async () => {
  const { body } = await api.call('GET', '/api/auth/idp?error=access_denied&error_description=refus%E9')
  assert.doesNotMatch(body.details, /percent-encoded/)
})
