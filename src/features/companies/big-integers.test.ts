import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { UserPatch } from '#src/features/users/schema.ts'
import { NewView, ViewPatch } from '#src/features/views/schema.ts'
import { hasFreeJson } from '#src/platform/schema/free-json.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { ada } from '#src/testing/settings.ts'
import { CompaniesPatch } from './bulk-change/bulk-change-schema.ts'
import { CompanyListRequest } from './list/query-schema.ts'
import { CompanyPatch, NewCompany } from './schema.ts'

const BIG = '12345678901234567890'
const FINANCIALS = `{"2025":{"revenue":${BIG},"loss":-${BIG},"share":0.1}}`
const EXECUTIVES = `[${BIG},{"name":"Ada","badge":${BIG}}]`

let api: TestApp
before(async () => {
  api = await testApp()
})
after(() => api.close())

/** Sends JSON text and returns the status and the text of the response. */
async function send(
  method: 'GET' | 'POST' | 'PATCH',
  url: string,
  payload?: string,
  type = 'application/json',
) {
  const headers = { 'x-user-email': ada, ...(payload === undefined ? {} : { 'content-type': type }) }
  const { statusCode, body } = await api.app.inject({ method, url, headers, payload })
  return { status: statusCode, body }
}

function assertDigits({ status, body }: { status: number; body: string }): void {
  assert.ok(status < 300, body)
  const text = body.replaceAll(/\s|""/g, (found) => (found === '""' ? '"' : ''))
  assert.ok(text.includes(FINANCIALS), text)
  assert.ok(text.includes(EXECUTIVES), text)
}

test('integers of any size in free JSON keep their digits', async () => {
  const fields = `"executives":${EXECUTIVES},"financials":${FINANCIALS}`
  const created = await send('POST', '/api/companies', `{"name":"Acme",${fields}}`)
  assertDigits(created)
  const { id } = JSON.parse(created.body).data
  const url = `/api/companies/${id}`
  assertDigits(await send('PATCH', url, '{"hq_city":"Oslo"}'))
  assertDigits(await send('GET', url))
  assertDigits(await send('GET', '/api/companies'))
  assertDigits(await send('PATCH', url, `{${fields}}`))
  const activity = await api.call('GET', `/api/activity?entity_id=${id}`)
  assert.deepEqual(activity.body.data[0].metadata, { fields: ['hq_city'] })
  const exported = await send('GET', '/api/companies/export')
  assertDigits(exported)

  const copy = exported.body.replaceAll(id, '').replaceAll('Acme', 'Copy')
  const imported = await send('POST', '/api/companies/import', copy, 'text/csv')
  assert.equal(JSON.parse(imported.body).data.created, 1, imported.body)
  assertDigits(await send('GET', '/api/companies?search=copy'))
})

test('preferences keep the digits of their integers', async () => {
  const url = `/api/users/${ada}`
  const { status, body } = await send(
    'PATCH',
    url,
    `{"preferences":{"cursor":{"after":${BIG}},"last":${BIG}}}`,
  )
  assert.equal(status, 200, body)
  await send('PATCH', url, '{"preferences":{"view_mode":"compact"}}')
  const read = (await send('GET', url)).body.replaceAll(' ', '')
  assert.ok(read.includes(`"cursor":{"after":${BIG}},"last":${BIG}`), read)
})

test('an integer that is too large for its field is a 400', async () => {
  for (const [field, value] of [
    ['employee_count', BIG],
    ['revenue_eur', BIG],
    ['name', BIG],
    ['financials', BIG],
    ['executives', BIG],
    ['financials', '1'.repeat(400)],
  ] as const) {
    const { status, body } = await send('POST', '/api/companies', `{"name":"Acme","${field}":${value}}`)
    assert.equal(status, 400, `${field}: ${body}`)
    assert.match(JSON.parse(body).details, new RegExp(field))
  }
  for (const field of ['financials', 'executives'] as const) {
    const report = await send('POST', '/api/companies/import', `name,${field}\nWrong,${BIG}\n`, 'text/csv')
    assert.equal(report.status, 200, report.body)
  }
  const { body } = await send('GET', '/api/companies?search=wrong')
  assert.ok(!body.includes('rawJSON'), body)
})

test('a filter that compares with an integer that would be rounded is a 400', async () => {
  const filter = `{"field":"revenue_eur","op":"gt","value":${BIG}}`
  for (const answer of [
    await send('POST', '/api/companies/query', `{"filter":${filter}}`),
    await send('GET', `/api/companies?filter=${encodeURIComponent(filter)}`),
  ]) {
    assert.equal(answer.status, 400, answer.body)
    assert.match(JSON.parse(answer.body).details, /^filter\.value must be a number, not 123/)
  }
})

test('bodies with fields for any JSON keep all digits, and filters need none', () => {
  for (const schema of [NewCompany, CompanyPatch, UserPatch]) assert.equal(hasFreeJson(schema), true)
  for (const schema of [CompanyListRequest, CompaniesPatch, NewView, ViewPatch])
    assert.equal(hasFreeJson(schema), false)
})
