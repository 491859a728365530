import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { type TestApp, testApp } from '#src/testing/app.ts'
import {
  anyString,
  csvFile,
  type KnownIds,
  objectFor,
  queryFor,
  type Schema,
  STRINGS,
  segmentFor,
  toJson,
} from '#src/testing/fuzz-values.ts'
import { operations } from './client/client.ts'
import { normalizeName, normalizeText } from './platform/schema/normalize-text.ts'
import type { Endpoint } from './platform/schema/shapes.ts'

let api: TestApp
const known: KnownIds = {}
const newCode = () => `KNOWN-${Math.random()}`

/** The operations that delete may have deleted the previous ones. */
async function createKnown(): Promise<void> {
  known.company = (await api.call('POST', '/api/companies', { name: 'Known' })).body.data.id
  known.thesis = (await api.call('POST', '/api/theses', { code: newCode(), title: 'Known' })).body.data.id
  known.deal = (await api.call('POST', '/api/dealflow', { company_id: known.company })).body.data.id
  known.person = (await api.call('POST', '/api/people', { name: 'Known' })).body.data.id
  const about = [{ type: 'company', id: known.company }]
  known.note = (await api.call('POST', '/api/notes', { body: 'Known', about })).body.data.id
}

before(async () => {
  api = await testApp()
  await createKnown()
})
after(() => api.close())

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
  // A file without a column of names also answers how it was read.
  const { file: _file, ...body } = answer.json()
  assert.deepEqual(Object.keys(body).sort(), ['details', 'error'], about)
  assert.ok(answer.json().details.length > 0, about)
}

/** The same requests in every run. */
const runs = { numRuns: Number(process.env.FUZZ_RUNS ?? 60), seed: 20_260_302 }

/** A stream of events that never ends. */
const { getEvents: _endless, ...finite } = operations

for (const [name, { method, url, schema }] of Object.entries(finite) as [string, Endpoint][]) {
  test(`${name} answers odd requests without an error of its own`, async () => {
    const payload = schema.consumes
      ? csvFile
      : schema.body
        ? fc.oneof(
            { weight: 5, arbitrary: objectFor(schema.body as Schema, known).map(toJson) },
            { weight: 1, arbitrary: anyString },
          )
        : fc.constant(undefined)
    const type = schema.consumes ? 'text/csv' : 'application/json'
    const names = Object.keys(((schema.querystring ?? {}) as Schema).properties ?? {})
    await fc.assert(
      fc.asyncProperty(segmentFor(known), queryFor(names, known), payload, async (segment, query, body) => {
        const path = url.replace(/:\w+/, () => segment)
        await refusesWell(method, query ? `${path}?${query}` : path, body, type)
        // Also without the query: otherwise few bodies would ever be validated.
        if (body !== undefined && query) await refusesWell(method, path, body, type)
      }),
      runs,
    )
  })
}

/** Words are stored in lower case, names without full-width letters, and all texts without invisible characters. */
function stored(field: string, text: string): string {
  const normalized = ['name', 'code', 'country_code'].includes(field)
    ? normalizeName(text)
    : normalizeText(text)
  return ['status', 'stage'].includes(field) ? normalized.trim().toLowerCase() : normalized.trim()
}

test('every text field stores difficult strings normalized or rejects them', async () => {
  await createKnown()
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
