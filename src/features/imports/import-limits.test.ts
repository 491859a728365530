import assert from 'node:assert/strict'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { type Answer, type TestApp, testApp } from '#src/testing/app.ts'
import { eventually } from '#src/testing/eventually.ts'
import { MAX_IMPORTS, MAX_IMPORTS_PER_USER, MAX_MALFORMED_ROWS, MAX_MAPPING_LENGTH } from './schema.ts'

const MB = 1024 * 1024

let api: TestApp
before(async () => {
  api = await testApp()
  await api.app.listen({ host: '127.0.0.1', port: 0 })
  await sql`alter table companies add constraint no_rejected_names check (name not like 'Rejected%')`.execute(
    api.context.db,
  )
})
const agent = new http.Agent({ keepAlive: true })
after(async () => {
  agent.destroy()
  await api.close()
})

const send = (payload: string | Buffer, { query = '', type = 'text/csv' } = {}): Promise<Answer> =>
  api.call('POST', `/api/companies/import${query}`, undefined, {
    payload,
    headers: { 'content-type': type, 'x-user-email': 'ada@example.com' },
  })

const address = () =>
  `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}/api/companies/import`

/** Imports over HTTP whose files do not end. One that is refused, because a probe has its slot, tries again. */
class Uploads {
  readonly #requests = new Set<http.ClientRequest>()
  #isOver = false

  start(email: string, type: string): void {
    if (this.#isOver) return
    const request = http.request(address(), {
      method: 'POST',
      agent: false,
      headers: { 'content-type': type, 'x-user-email': email },
    })
    this.#requests.add(request)
    request.on('error', () => {})
    request.on('response', () => {
      this.#requests.delete(request)
      request.destroy()
      setImmediate(() => this.start(email, type))
    })
    request.write(type === 'text/csv' ? 'name\n' : formStart)
  }

  disconnect(): void {
    this.#isOver = true
    for (const request of this.#requests) request.destroy()
  }
}

const formType = 'multipart/form-data; boundary=b'
const formStart =
  '--b\r\nContent-Disposition: form-data; name="file"; filename="c.csv"\r\nContent-Type: text/csv\r\n\r\nname\n'

async function answerTo(
  request: http.ClientRequest,
): Promise<{ status: number; headers: http.IncomingHttpHeaders; body: string }> {
  const [response] = (await once(request, 'response')) as [http.IncomingMessage]
  let body = ''
  for await (const chunk of response) body += chunk
  return { status: response.statusCode ?? 0, headers: response.headers, body }
}

/** Sends one whole import over HTTP. The connection stays open, as that of most clients does. */
function importAs(email: string, file = 'name\n') {
  const request = http.request(address(), {
    method: 'POST',
    agent,
    headers: { 'content-type': 'text/csv', 'x-user-email': email },
  })
  request.end(file)
  return answerTo(request)
}

test('rows that the database rejects fail alone, with the reason', async () => {
  const rows = Array.from({ length: 700 }, (_value, n) => (n % 200 === 7 ? `Rejected ${n}` : `Accepted ${n}`))
  const { status, body } = await send(`name\n${rows.join('\n')}\n`)
  assert.equal(status, 200, JSON.stringify(body))
  const { created, failed, errors } = body.data
  assert.deepEqual({ created, failed }, { created: 696, failed: 4 })
  assert.deepEqual(
    errors.map(({ row }: { row: number }) => row),
    [9, 209, 409, 609],
  )
  for (const { message } of errors)
    assert.equal(message, 'The row breaks a rule of the database (no_rejected_names, SQLSTATE 23514).')
  const stored = await api.call('GET', '/api/companies?search=accepted&limit=0')
  assert.equal(stored.body.pagination.total, 696)
  const { data } = (await api.call('GET', '/api/activity?activity_type=company_created&limit=0')).body
  assert.deepEqual(data, [])
  const [{ n = 0 } = {}] = (
    await sql<{
      n: number
    }>`select count(*)::int as n from activity where activity_type = 'company_created'`.execute(
      api.context.db,
    )
  ).rows
  assert.equal(n, 696, 'one activity record per company')
})

test('a rejected update leaves its company as it was', async () => {
  await send('name,website\nStable,stable.example\n')
  const { body } = await send('name,website,city\nRejected,stable.example,Rome\nOther,other.example,Bari\n')
  assert.deepEqual([body.data.created, body.data.failed], [1, 1])
  const { data } = (await api.call('GET', '/api/companies?search=stable')).body
  assert.deepEqual([data[0].name, data[0].hq_city], ['Stable', null])
})

test('an import stops after 10,000 malformed rows, reports it, and keeps the imported rows', async () => {
  const file = `name,city\nFirst of many,Rome\n${'x,"a\n'.repeat(MB)}`
  const answer = await importAs('stop@example.com', file)
  assert.equal(answer.status, 200, answer.body)
  const { data } = JSON.parse(answer.body)
  assert.equal(data.stopped_at_row, MAX_MALFORMED_ROWS + 2)
  assert.deepEqual([data.created, data.failed, data.errors.length], [1, MAX_MALFORMED_ROWS, 1000])
  assert.equal(data.errors_omitted, MAX_MALFORMED_ROWS - 1000)
  assert.equal((await send('name\nx\n')).body.data.stopped_at_row, null)
})

test('rows with unusable values do not stop an import', async () => {
  const { body } = await send(`name,city\n${',Rome\n'.repeat(MAX_MALFORMED_ROWS + 10)}After,Bari\n`)
  assert.deepEqual(
    [body.data.created, body.data.failed, body.data.stopped_at_row],
    [1, MAX_MALFORMED_ROWS + 10, null],
  )
})

test('a refused file of any size is answered over HTTP', async () => {
  const answer = await importAs('refused@example.com', `1,2,3\n${'4,5,6\n'.repeat(4 * MB)}`)
  assert.equal(answer.status, 400)
  assert.match(answer.body, /No column is recognized/)
})

test('long cells are read quickly', async () => {
  const spaces = `1${' '.repeat(900_000)}x y`
  const { body } = await send(
    `name,revenue,employees,executives\nA,${spaces},,\nB,,${spaces},\nC,,,${';'.repeat(900_000)}\n`,
  )
  assert.deepEqual(
    body.data.bad_cells.map(({ row, column }: { row: number; column: string }) => [row, column]),
    [
      [2, 'revenue'],
      [3, 'employees'],
      [4, 'executives'],
    ],
  )
})

test("a form's mapping has the limit of the query's, and a longer one is refused", async () => {
  const filler = Object.fromEntries(['status', 'country'].map((field) => [field, null]))
  const mapping = JSON.stringify({ name: 'Firm', ...filler }).padEnd(MAX_MAPPING_LENGTH)
  const form = (text: string) =>
    `--b\r\nContent-Disposition: form-data; name="mapping"\r\n\r\n${text}\r\n${formStart.replace('name\n', 'Firm\nMapped\n')}\r\n--b--\r\n`
  const accepted = await send(form(mapping), { type: formType })
  assert.equal(accepted.status, 200, JSON.stringify(accepted.body))
  assert.equal(accepted.body.data.created, 1)
  for (const long of [`${mapping} `, 'é'.repeat(100_000)]) {
    const { status, body } = await send(form(long), { type: formType })
    assert.equal(status, 400)
    assert.equal(body.details, `mapping must not be longer than ${MAX_MAPPING_LENGTH} characters.`)
  }
  const query = await send('Firm\nA\n', { query: `?mapping=${encodeURIComponent(`${mapping} `)}` })
  assert.equal(query.status, 400)
})

for (const type of ['text/csv', formType])
  test(`imports at a time are limited, and a disconnect frees the slot: ${type.split(';')[0]}`, async () => {
    const uploads = new Uploads()
    try {
      for (let n = 0; n < MAX_IMPORTS_PER_USER; n++) uploads.start('busy@example.com', type)
      const refused = await eventually(async () => {
        const answer = await importAs('busy@example.com')
        assert.equal(answer.status, 429)
        return answer
      })
      assert.match(refused.body, /You may run 2 imports at a time/)
      assert.equal(refused.headers['retry-after'], '30')
      assert.equal((await importAs('idle@example.com')).status, 200)

      for (let n = 0; n < MAX_IMPORTS - MAX_IMPORTS_PER_USER; n++) uploads.start(`user${n}@example.com`, type)
      const full = await eventually(async () => {
        const answer = await importAs('idle@example.com')
        assert.equal(answer.status, 429)
        return answer
      })
      assert.match(full.body, /The service runs 8 imports at a time/)
    } finally {
      uploads.disconnect()
    }
    await eventually(async () => {
      const answers = await Promise.all([importAs('busy@example.com'), importAs('busy@example.com')])
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200],
      )
    })
  })

test('a failed import frees its slot', async () => {
  for (let n = 0; n <= MAX_IMPORTS; n++) assert.equal((await send('1,2\n3,4\n')).status, 400)
})

test('imports have their own rate class', async () => {
  const limited = await testApp({ RATE_LIMIT_IMPORT: '2', RATE_LIMIT_STANDARD: '1' })
  try {
    const statuses: number[] = []
    for (let n = 0; n < 3; n++) {
      const answer = await limited.call('POST', '/api/companies/import', undefined, {
        payload: 'name\n',
        headers: { 'content-type': 'text/csv', 'x-user-email': 'ada@example.com' },
      })
      statuses.push(answer.status)
      if (answer.status === 429) assert.match(answer.body.details, /^The limit for imports is 2 requests/)
    }
    assert.deepEqual(statuses, [200, 200, 429])
    assert.equal((await limited.call('GET', '/api/stats')).status, 200)
  } finally {
    await limited.close()
  }
})

test('an import writes no values of an archived custom field, however it is mapped', async () => {
  const field = { entity: 'company', label: 'Old batch', key: 'old_batch', type: 'select' }
  const { id } = (await api.call('POST', '/api/fields', field)).body.data
  assert.equal((await api.call('PATCH', `/api/fields/${id}`, { archived: true })).status, 200)
  for (const mapped of ['Anything', { column: 'Anything' }]) {
    const mapping = encodeURIComponent(JSON.stringify({ 'custom.old_batch': mapped }))
    const { status, body } = await send('name,Anything\nOld,W26\n', { query: `?mapping=${mapping}` })
    assert.equal(status, 400)
    assert.match(body.details, /mapping\.custom\.old_batch is archived/)
  }
})
