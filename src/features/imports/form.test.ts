import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { after, before, test } from 'node:test'
import { type Answer, type TestApp, testApp } from '#src/testing/app.ts'

let api: TestApp
before(async () => {
  api = await testApp()
})
after(() => api.close())

const counts = ({ body }: Answer) => {
  const { created, updated, unchanged, failed } = body.data
  return { created, updated, unchanged, failed }
}

test('settings count before and after the file', async () => {
  const file = (rows: number) =>
    '--b\r\nContent-Disposition: form-data; name="file"; filename="c.csv"\r\n\r\n' +
    `name\n${Array.from({ length: rows }, (_value, n) => `Late ${rows} ${n}\n`).join('')}\r\n`
  const setting = (name: string, value = 'true') =>
    `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const headers = { 'content-type': 'multipart/form-data; boundary=b' }
  const send = async (...parts: string[]) => {
    const payload = Readable.from([...parts, '--b--\r\n'].map((part) => Buffer.from(part)))
    return api.call('POST', '/api/companies/import', undefined, { payload, headers })
  }
  for (const [name, value, error] of [
    ['unknown', 'true', /^The form's field unknown is unknown\. Known: dry_run, /],
    ['dry_run', 'maybe', /^dry_run must be a boolean/],
    ['on_conflict', 'guess', /^on_conflict must be/],
    ['header_row', '-1', /^header_row must be/],
    ['repairs', '{"exclude": ["two"]}', /^repairs\.exclude\[0\] must be/],
    ['formats', '{"Revenue": {"decimal": "x"}}', /^formats\.Revenue\.decimal must be/],
    ['formats', '[]', /^formats must be a JSON object/],
    ['__proto__', 'true', /^The form cannot be read: /],
  ] as const)
    for (const parts of [
      [setting(name, value), file(1)],
      [file(1), setting(name, value)],
    ]) {
      const { status, body } = await send(...parts)
      assert.deepEqual([status, error.test(body.details)], [400, true], body.details)
    }
  for (const parts of [
    [setting('dry_run'), file(1200)],
    [file(1200), setting('dry_run')],
  ]) {
    const { status, body } = await send(...parts)
    assert.deepEqual([status, body.data.dry_run, body.data.created], [200, true, 1200])
  }
  const twice = await send(setting('dry_run'), setting('dry_run'), file(1))
  assert.deepEqual(
    [twice.status, twice.body.details],
    [400, 'The form must have the field dry_run only once.'],
  )
  const second = await send(file(1), file(2))
  assert.equal(second.status, 400, JSON.stringify(second.body))
  assert.equal((await api.call('GET', '/api/companies?search=Late+1&limit=0')).body.pagination.total, 0)
})

test('an upload by a browser form works like a plain file', async () => {
  const form = (name: string) =>
    `--b\r\nContent-Disposition: form-data; name="${name}"; filename="c.csv"\r\nContent-Type: text/csv\r\n\r\n` +
    'name,city\nFormed,Ulm\n\r\n--b--\r\n'
  const headers = { 'content-type': 'multipart/form-data; boundary=b' }
  const answer = await api.call('POST', '/api/companies/import', undefined, {
    payload: form('file'),
    headers,
  })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  assert.deepEqual(counts(answer), { created: 1, updated: 0, unchanged: 0, failed: 0 })
  const setting = '--b\r\nContent-Disposition: form-data; name="dry_run"\r\n\r\ntrue\r\n'
  const dry = await api.call('POST', '/api/companies/import', undefined, {
    payload: setting + form('file'),
    headers,
  })
  assert.equal(dry.body.data.dry_run, true)
  for (const payload of [form('other'), setting.replace('dry_run', 'dryrun') + form('file')])
    assert.equal(
      (await api.call('POST', '/api/companies/import', undefined, { payload, headers })).status,
      400,
    )
  const field = `--b\r\nContent-Disposition: form-data; name="x"\r\n\r\n${'x'.repeat(5000)}\r\n`
  for (const [type, payload] of [
    ['multipart/form-data; boundary=b', form('file').replace('--b--', '')],
    ['multipart/form-data', form('file')],
    ['multipart/form-data; boundary=b', 'garbage'],
    ['multipart/form-data; boundary=b', field.repeat(9) + form('file')],
  ] as const) {
    const options = { payload, headers: { 'content-type': type } }
    const refused = await api.call('POST', '/api/companies/import', undefined, options)
    assert.ok(
      [400, 413].includes(refused.status),
      `${type} ${payload.slice(0, 40)} ${JSON.stringify(refused.body)}`,
    )
  }
  const json = await api.call('POST', '/api/companies/import', { name: 'x' })
  assert.equal(json.status, 415)
})
