import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { after, before, test } from 'node:test'
import type { FastifyInstance, FastifySchema } from 'fastify'
import { compileRoute } from '#src/platform/http/validator.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { PRODUCTION } from '#src/testing/settings.ts'
import { operationsOf } from '../bench/fuzz/document.ts'
import { operations } from './client/client.ts'
import { compileValidator } from './platform/schema/validate.ts'

let api: TestApp
// biome-ignore lint/suspicious/noExplicitAny: the document is plain JSON
let served: any
/** The served document with its references resolved. */
let document: typeof served
const routeSchemas: FastifySchema[] = []

function collectSchemas(message: unknown): void {
  const { fastify } = message as { fastify: FastifyInstance }
  fastify.addHook('onRoute', ({ schema }) => {
    if (schema) routeSchemas.push(schema)
  })
}

before(async () => {
  subscribe('fastify.initialization', collectSchemas)
  api = await testApp()
  await api.app.ready()
  unsubscribe('fastify.initialization', collectSchemas)
  served = (await api.call('GET', '/openapi.json')).body
  document = withoutReferences(served)
})
after(() => api.close())

/** @param within the references that the part is in: a recursive one becomes a schema that allows everything */
function withoutReferences(part: unknown, within: readonly string[] = []): unknown {
  if (Array.isArray(part)) return part.map((item) => withoutReferences(item, within))
  if (typeof part !== 'object' || part === null) return part
  if ('$ref' in part) {
    const $ref = part.$ref as string
    return within.includes($ref) ? {} : withoutReferences(target($ref), [...within, $ref])
  }
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => [key, withoutReferences(value, within)]),
  )
}

function target($ref: string): unknown {
  const [root, section, kind, name] = $ref.split('/') as [string, string, string, string]
  assert.deepEqual([root, section], ['#', 'components'], $ref)
  const found = served.components[kind]?.[name]
  assert.ok(found, `${$ref} does not exist`)
  return found
}

interface Operation {
  operationId: string
  path: string
  method: string
  // biome-ignore lint/suspicious/noExplicitAny: the document is plain JSON
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
    'PATCH /api/companies',
    'GET /api/companies/facets',
    'POST /api/companies/query',
    'GET /api/fields',
    'GET /api/companies/{id}',
    'PATCH /api/companies/{id}',
    'POST /api/companies/import',
    'GET /api/companies/export',
    'GET /api/companies/search/semantic',
    'GET /api/companies/search/status',
    'GET /api/companies/{id}/similar',
    'GET /api/theses',
    'GET /api/theses/{id}',
    'GET /api/dealflow',
    'GET /api/dealflow/stages',
    'GET /api/dealflow/{id}',
    'POST /api/dealflow',
    'PATCH /api/dealflow/{id}',
    'POST /api/bulk-actions',
    'GET /api/bulk-actions',
    'GET /api/bulk-actions/{id}',
    'PATCH /api/bulk-actions/{id}',
    'GET /api/activity',
    'GET /api/actions',
    'POST /api/actions/{id}/undo',
    'DELETE /api/companies/{id}',
    'DELETE /api/companies',
    'GET /api/trash',
    'POST /api/trash/{id}/restore',
    'DELETE /api/trash/{id}',
    'GET /api/duplicates',
    'GET /api/duplicates/check',
    'POST /api/duplicates/{id}/dismiss',
    'POST /api/duplicates/{id}/reopen',
    'GET /api/audit',
    'GET /api/audit/export',
    'GET /api/stats',
    'GET /api/users',
    'GET /api/users/{email}',
    'PATCH /api/users/{email}',
    'GET /api/sessions',
    'DELETE /api/sessions',
    'DELETE /api/sessions/{id}',
    'GET /api/keys',
    'POST /api/keys',
    'DELETE /api/keys/{id}',
    'POST /api/feedback',
    'GET /api/feedback',
    'GET /api/feedback/{id}',
    'GET /api/auth/idp',
    'POST /api/auth/logout',
    'GET /api/auth/me',
    'GET /api/auth/status',
  ])
    assert.ok(routes.includes(route), route)
})

test('every operation has valid examples of its response and its JSON body', () => {
  for (const { operationId, value } of all()) {
    if (isRedirect(value)) continue
    const [success] = Object.entries(value.responses).filter(([status]) => status.startsWith('2'))
    const [status, { content }] = success as [string, { content?: Record<string, object> }]
    assert.equal(content === undefined, status === '204', operationId)
    const json = content?.['application/json']
    if (json) checkExamples(operationId, json)
    const body = value.requestBody?.content?.['application/json']
    if (body) checkExamples(operationId, body)
    assert.equal(value.responses[503]?.content['application/json'].example.error, 'Dependency unavailable')
  }
})

test('records, lists and errors are named schemas', () => {
  const { schemas, responses } = served.components
  for (const name of ['Company', 'Deal', 'Thesis', 'BulkAction', 'Activity', 'User', 'Feedback']) {
    assert.ok(schemas[name], name)
    const { properties } = schemas[name === 'Thesis' ? 'ThesisSummaryList' : `${name}List`]
    const item = name === 'Thesis' ? 'ThesisSummary' : name
    assert.deepEqual(properties.data.items, { $ref: `#/components/schemas/${item}` })
    assert.deepEqual(properties.pagination, { $ref: '#/components/schemas/Pagination' })
  }
  const errors = Object.entries(responses as Record<string, { content?: Record<string, { schema: object }> }>)
    .filter(([name, { content }]) => content && !name.endsWith('Response'))
    .map(([, { content }]) => content?.['application/json']?.schema)
  assert.ok(errors.length >= 10)
  for (const schema of errors) assert.deepEqual(schema, { $ref: '#/components/schemas/Error' })
  assert.doesNotMatch(JSON.stringify(served), /"x-(?:normalize|capped)"/)
})

test('every operation has a description and lists only statuses it can return', () => {
  for (const { operationId, method, path, value } of all()) {
    assert.ok(value.description, operationId)
    const has = (status: number) => status in value.responses
    assert.deepEqual([has(413), has(415)], Array(2).fill(method !== 'get'), operationId)
    assert.equal(has(404), /\{(id|name|token|file)\}/.test(path), operationId)
    const names = (value.parameters ?? []).map(({ name }: { name: string }) => name)
    assert.equal(has(412), names.includes('if-match'), operationId)
    const takesKey = names.includes('idempotency-key')
    // Content waits for the virus scan.
    const isContent = ['getFileContent', 'getFileText', 'getFileAttachment'].includes(operationId)
    assert.deepEqual([has(409), has(422)], [takesKey || isContent, takesKey], operationId)
    const isWrite = method !== 'get' && value.security === undefined
    assert.equal(
      takesKey,
      isWrite &&
        !['createKey', 'createCalendar', 'previewBulkAction', 'queryCompanies'].includes(operationId),
      operationId,
    )
  }
})

test('each response header has one schema', () => {
  const responses = all().flatMap(({ value }) => Object.values(value.responses as Record<string, object>))
  const headers = responses.flatMap((response) =>
    'headers' in response ? Object.values(response.headers as Record<string, { schema: object }>) : [],
  )
  assert.ok(headers.length > 50)
  for (const { schema } of headers) assert.ok('type' in schema, JSON.stringify(schema))
})

test('every pattern has a description in words', () => {
  const patterns: { pattern: string; 'x-allowed'?: string }[] = []
  JSON.stringify(document, (_name, value) => {
    if (typeof value?.pattern === 'string') patterns.push(value)
    return value
  })
  assert.ok(patterns.length > 5)
  for (const { pattern, 'x-allowed': allowed } of patterns) {
    const schema = { type: 'string', pattern, ...(allowed && { 'x-allowed': allowed }) }
    assert.doesNotMatch(compileValidator(schema)('') ?? '', /that matches/)
  }
})

test('every operation is in a listed group', () => {
  const groups = document.tags.map(({ name }: { name: string }) => name)
  for (const { operationId, value } of all())
    for (const tag of value.tags) assert.ok(groups.includes(tag), `${operationId}: ${tag}`)
})

const isOfTheApi = (path: string) => /^\/(?:api|assets)\//.test(path)

const CLASSES: Record<string, string> = {
  searchCompanies: 'ai',
  listSimilarCompanies: 'ai',
  listThesisMatches: 'ai',
  createBulkAction: 'bulk',
  retryBulkAction: 'bulk',
  importCompanies: 'import',
  importPeople: 'import',
  importNotes: 'import',
  importDeals: 'import',
  getAuthenticationStatus: 'none',
  getLogo: 'logo',
}

test('every operation of the API names its rate class', () => {
  for (const { operationId, path, value } of all()) {
    const isLimited = isOfTheApi(path)
    const expected = isLimited ? (CLASSES[operationId] ?? 'standard') : undefined
    assert.equal(value['x-rate-class'], expected, operationId)
    const isCounted = isLimited && expected !== 'none'
    assert.equal(value.responses[429]?.headers['Retry-After'] !== undefined, isCounted, operationId)
  }
})

test('the document states which operations need a user', async () => {
  const securityOf = (of: typeof document) => [
    of.security.flatMap(Object.keys),
    of.paths['/api/auth/idp'].get.security,
  ]
  assert.deepEqual(securityOf(document), [['session', 'token', 'developmentUser'], []])
  assert.equal(document.security.length, 4)
  const production = await testApp(PRODUCTION)
  try {
    const { body } = await production.call('GET', '/openapi.json')
    assert.deepEqual(securityOf(body), [['session', 'token'], []])
    assert.equal(body.security.length, 2)
    assert.equal(body.paths['/api/stats'].get.security, undefined)
  } finally {
    await production.close()
  }
})

/** Signing in redirects the browser, so there is no body to describe. */
// biome-ignore lint/suspicious/noExplicitAny: the document is plain JSON
const isRedirect = (value: any): boolean => '302' in value.responses

// biome-ignore lint/suspicious/noExplicitAny: the document is plain JSON
function checkExamples(operationId: string, media: any): void {
  const examples =
    media.schema.examples ??
    Object.values(media.examples ?? {}).map((example) => (example as { value: unknown }).value)
  const input = media.example === undefined ? examples : [media.example]
  assert.ok(input.length > 0, `${operationId} has no example`)
  for (const example of input) assert.equal(compileValidator(media.schema)(example), undefined, operationId)
}

test('file responses and their request headers are described', () => {
  const caching = ['ETag', 'Last-Modified', 'Cache-Control']
  const sent = [...caching, 'Accept-Ranges', 'Warning']
  for (const [file, own] of [
    ['profile.json', []],
    ['source.csv', ['Content-Disposition']],
  ] as const) {
    const { parameters, responses } = document.paths[`/assets/companies/{id}/${file}`].get
    const headersOf = (status: number) => Object.keys(responses[status].headers).sort()
    assert.deepEqual(headersOf(200), [...sent, ...own].sort())
    assert.deepEqual(headersOf(206), [...sent, ...own, 'Content-Range'].sort())
    assert.deepEqual(headersOf(304), caching.sort())
    assert.equal(responses[304].content, undefined)
    assert.deepEqual(headersOf(416), ['Content-Range'])
    checkExamples('416', responses[416].content['application/json'])
    const requested = (parameters as { in: string; name: string; required?: boolean }[]).filter(
      (parameter) => parameter.in === 'header',
    )
    assert.deepEqual(
      requested.map(({ name, required = false }) => [name, required]),
      ['Range', 'If-Range', 'If-None-Match', 'If-Modified-Since'].map((name) => [name, false]),
    )
  }
})

test('the body of the import is described', () => {
  const { content } = document.paths['/api/companies/import'].post.requestBody
  assert.deepEqual(Object.keys(content).slice(0, 2), ['text/csv', 'multipart/form-data'])
  assert.ok(content['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'])
  assert.ok(content['multipart/form-data'].schema.properties.file)
})

test('the client has every operation of the API', () => {
  const documented = all()
    .filter(({ path, value }) => isOfTheApi(path) && !isRedirect(value))
    .map(({ operationId }) => operationId)
  assert.deepEqual(Object.keys(operations).sort(), documented.sort())
})

test('the schemas of all requests are valid', () => {
  let compiled = 0
  for (const route of routeSchemas)
    for (const httpPart of ['body', 'querystring', 'params', 'headers'] as const) {
      const schema = route[httpPart]
      if (!schema) continue
      assert.ok(compileRoute({ schema, httpPart }))
      compiled += 1
    }
  assert.ok(compiled > all().length / 2)
})

test('the fuzzer reads every operation', () => {
  const read = operationsOf(served)
  assert.equal(read.length, all().length)
  const bodies = read.flatMap((operation) => operation.bodies['application/json'] ?? [])
  assert.ok(bodies.length > 20)
  for (const { schema } of bodies) assert.ok(compileValidator(schema))
})

test('the documentation page only loads files from this service', async () => {
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
