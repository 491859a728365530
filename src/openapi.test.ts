import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { operations } from './client/client.ts'
import { faultOf } from './platform/validation.ts'
import { type TestApp, testApp } from './testing.ts'

let api: TestApp
// biome-ignore lint/suspicious/noExplicitAny: the document is looked at as JSON
let document: any
before(async () => {
  api = await testApp()
  document = (await api.call('GET', '/openapi.json')).body
})
after(() => api.close())

interface Operation {
  operationId: string
  path: string
  method: string
  // biome-ignore lint/suspicious/noExplicitAny: the document is looked at as JSON
  value: any
}

const all = (): Operation[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods as object).map(([method, value]) => ({
      path,
      method,
      value,
      operationId: value.operationId,
    })),
  )

test('the document is OpenAPI 3.1 and names every route of the API', () => {
  assert.equal(document.openapi, '3.1.0')
  const routes = all().map(({ method, path }) => `${method.toUpperCase()} ${path}`)
  for (const route of [
    'GET /api/companies',
    'POST /api/companies',
    'GET /api/companies/{id}',
    'PATCH /api/companies/{id}',
    'POST /api/companies/import',
    'GET /api/companies/export',
    'GET /api/theses',
    'GET /api/theses/{id}',
    'GET /api/dealflow',
    'POST /api/dealflow',
    'PATCH /api/dealflow/{id}',
    'GET /api/activity',
    'GET /api/stats',
    'GET /api/users/{email}',
    'PATCH /api/users/{email}',
  ])
    assert.ok(routes.includes(route), route)
})

test('every operation has an example of its answer, and of its body when it takes JSON, and they fit', () => {
  for (const { operationId, value } of all()) {
    const [success] = Object.entries(value.responses).filter(([status]) => status.startsWith('2'))
    const [, { content }] = success as [string, { content: Record<string, object> }]
    checkExamples(operationId, Object.values(content)[0])
    const body = value.requestBody?.content?.['application/json']
    if (body) checkExamples(operationId, body)
    assert.ok(value.responses[503]?.content['application/json'], `${operationId} tells of 503`)
  }
})

// biome-ignore lint/suspicious/noExplicitAny: the document is looked at as JSON
function checkExamples(operationId: string, media: any): void {
  const examples =
    media.schema.examples ??
    Object.values(media.examples ?? {}).map((example) => (example as { value: unknown }).value)
  const found = media.example === undefined ? examples : [media.example]
  assert.ok(found?.length > 0, `${operationId} has no example: ${JSON.stringify(media).slice(0, 200)}`)
  for (const example of found) assert.equal(faultOf(media.schema)(example), undefined, operationId)
}

test('the body of the import is described', () => {
  const { content } = document.paths['/api/companies/import'].post.requestBody
  assert.deepEqual(Object.keys(content), ['text/csv', 'multipart/form-data'])
  assert.ok(content['multipart/form-data'].schema.properties.file)
})

test('the client has every operation of the API', () => {
  const documented = all()
    .filter(({ path }) => path.startsWith('/api/'))
    .map(({ operationId }) => operationId)
  assert.deepEqual(Object.keys(operations).sort(), documented.sort())
})

test('the documentation page and what it loads come from here', async () => {
  const page = await api.call('GET', '/docs/')
  assert.equal(page.status, 200)
  const sources = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1])
  assert.ok(sources.length > 0)
  for (const source of sources) {
    assert.doesNotMatch(source, /^(https?:)?\/\//)
    const asset = await api.call('GET', new URL(source, 'http://x/docs/').pathname)
    assert.equal(asset.status, 200, source)
  }
})
