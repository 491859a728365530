import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { operations } from './client/client.ts'
import type { Endpoint } from './platform/schema/shapes.ts'

let api: TestApp
/** Ids of existing records, so that rubbish also reaches the code behind the lookup. */
const known: Record<string, string> = {}
before(async () => {
  api = await testApp()
  known.company = (await api.call('POST', '/api/companies', { name: 'Known' })).body.data.id
  known.thesis = (await api.call('POST', '/api/theses', { code: 'KNOWN', title: 'Known' })).body.data.id
  known.deal = (await api.call('POST', '/api/dealflow', { company_id: known.company })).body.data.id
})
after(() => api.close())

interface Schema {
  type?: string | string[]
  enum?: unknown[]
  properties?: Record<string, Schema>
  pattern?: string
  items?: Schema
}

const STRINGS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\udc00x',
  '🚀👩‍👩‍👧',
  '‮שלום עולם',
  "'; drop table companies; --",
  '<script>alert(1)</script>',
  '%',
  '_',
  '\\',
  '%_\\',
  '{{7*7}}',
  'null',
  'NaN',
  '1e400',
  '../../etc/passwd',
  'x'.repeat(1000),
]
const NUMBERS = [
  'NaN',
  'Infinity',
  '1e400',
  '-0',
  '-1',
  '0',
  '1e3',
  '0x10',
  '1.5',
  '9007199254740993',
  '１２',
]

const anyString = fc.oneof(
  fc.constantFrom(...STRINGS),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
)
const anyValue: fc.Arbitrary<unknown> = fc.oneof(
  anyString,
  fc.constantFrom(...NUMBERS),
  fc.anything({ maxDepth: 2 }),
  fc.double(),
)

/** Values of the right type or of any other type. */
function valueFor(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.oneof(fc.constantFrom(...schema.enum), anyValue)
  const [type] = [schema.type ?? 'string'].flat()
  switch (type) {
    case 'integer':
    case 'number':
      return fc.oneof(fc.integer(), fc.double(), anyValue, fc.constant(null))
    case 'boolean':
      return fc.oneof(fc.boolean(), anyValue)
    case 'array':
      return fc.oneof(fc.array(anyValue, { maxLength: 4 }), anyValue)
    case 'object':
      return fc.oneof(
        schema.properties ? bodyFor(schema) : fc.dictionary(anyString, anyValue, { maxKeys: 4 }),
        anyValue,
      )
    default:
      return fc.oneof(
        { weight: 3, arbitrary: anyString },
        { weight: 1, arbitrary: fc.constantFrom(...Object.values(known), 'active', 'DE', 'a@b.example') },
        { weight: 1, arbitrary: anyValue },
      )
  }
}

function bodyFor(schema: Schema): fc.Arbitrary<unknown> {
  const fields = Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, property]) => [name, valueFor(property)]),
  )
  return fc.record(fields, { requiredKeys: [] })
}

/** JSON that `JSON.stringify` would not write: with lone surrogates, and 1e400 as a number. */
function toJson(value: unknown): string {
  const text =
    JSON.stringify(value, (_key, item) => (typeof item === 'bigint' ? String(item) : item)) ?? 'null'
  return text.replace(/"(1e400|-0)"/g, '$1')
}

function query(schema: Schema): fc.Arbitrary<string> {
  const names = Object.keys(schema.properties ?? {})
  const name = names.length > 0 ? fc.oneof(fc.constantFrom(...names), anyString) : anyString
  const value = fc.oneof(
    anyString,
    fc.constantFrom(...NUMBERS),
    fc.integer().map(String),
    fc.constantFrom(...Object.values(known)),
  )
  const encode = (text: string) => encodeURIComponent(text.toWellFormed())
  const raw = fc.constantFrom('%', '%zz', '&&', '=', 'a=b=c', '[]=1', 'limit=%F0%28', '__proto__=1', '?')
  const pair = fc.tuple(name, value).map(([key, text]) => `${encode(key)}=${encode(text)}`)
  return fc
    .array(fc.oneof({ weight: 6, arbitrary: pair }, { weight: 1, arbitrary: raw }), { maxLength: 4 })
    .map((parts) => parts.join('&'))
}

const pathSegment = () =>
  fc.oneof(
    fc.constantFrom(...Object.values(known)),
    fc.constantFrom('%00', '%2e%2e%2f', '%F0%28', 'cmp_', 'CMP_01JW3F8X5ZFQ2V5N6K7M8P9R0S', 'a@b.example'),
    anyString
      .filter((text) => text !== '')
      .map((text) => encodeURIComponent(text.toWellFormed()).slice(0, 1500)),
  )

async function refusesWell(
  method: string,
  url: string,
  payload?: string,
  contentType = 'application/json',
): Promise<void> {
  const answer = await api.app.inject({
    method: method as 'GET',
    url,
    ...(payload === undefined ? {} : { payload, headers: { 'content-type': contentType } }),
  })
  const about = `${method} ${url} ${payload?.slice(0, 300)} → ${answer.statusCode} ${answer.body.slice(0, 300)}`
  assert.ok(answer.statusCode < 500, about)
  if (answer.statusCode < 400) return
  assert.deepEqual(Object.keys(answer.json()).sort(), ['details', 'error'], about)
  assert.ok(answer.json().details.length > 0, about)
}

const runs = { numRuns: Number(process.env.RUBBISH_RUNS ?? 150) }

for (const [name, endpoint] of Object.entries(operations) as [string, Endpoint][]) {
  const { method, url, schema } = endpoint
  test(`${name} rejects rubbish properly`, async () => {
    const payload = schema.consumes
      ? fc.oneof(
          anyString,
          fc
            .array(anyString, { maxLength: 30 })
            .map((cells) => `name,website,employees\n${cells.join(',')}\n"`),
        )
      : schema.body
        ? fc.oneof(
            { weight: 5, arbitrary: bodyFor(schema.body as Schema).map(toJson) },
            { weight: 1, arbitrary: anyString },
          )
        : fc.constant(undefined)
    const type = schema.consumes ? 'text/csv' : 'application/json'
    await fc.assert(
      fc.asyncProperty(
        pathSegment(),
        query((schema.querystring ?? {}) as Schema),
        payload,
        async (segment, queryText, body) => {
          const path = url.replace(/:\w+/, () => segment)
          await refusesWell(method, queryText ? `${path}?${queryText}` : path, body, type)
          // Also without the query: otherwise few bodies would ever be validated.
          if (body !== undefined && queryText) await refusesWell(method, path, body, type)
        },
      ),
      runs,
    )
  })
}

/** Words are stored in lower case. */
const stored = (field: string, text: string): string =>
  ['status', 'stage'].includes(field) ? text.trim().toLowerCase() : text.trim()

test('every text field stores difficult strings unchanged or rejects them', async () => {
  const million = 'x'.repeat(1_000_000)
  for (const [create, fields] of [
    [
      '/api/companies',
      {
        name: 'N',
        country: 'C',
        hq_city: 'H',
        industry_category: 'I',
        activity_description: 'A',
        status: 'active',
        website: 'https://w.example',
        thesis_id: known.thesis,
        country_code: 'DE',
      },
    ],
    ['/api/theses', { code: 'CODE', title: 'T', summary: 'S', report_markdown: 'R', status: 'active' }],
    ['/api/dealflow', { company_id: known.company, stage: 'initial', notes: 'N', status: 'active' }],
  ] as const)
    for (const field of Object.keys(fields))
      for (const text of [...STRINGS, million]) {
        const body = { ...fields, ...('code' in fields ? { code: `C${Math.random()}` } : {}), [field]: text }
        const { status, body: answer } = await api.call('POST', create, body)
        const about = `${create} ${field} ${JSON.stringify(text).slice(0, 60)} → ${status} ${JSON.stringify(answer).slice(0, 200)}`
        assert.ok([201, 400, 409].includes(status), about)
        if (status === 201) assert.equal(answer.data[field]?.trim() ?? '', stored(field, text), about)
        else if (status === 400) assert.match(answer.details, new RegExp(field), about)
        if (text.includes('\0') || !text.isWellFormed() || text === million) assert.equal(status, 400, about)
      }
})
