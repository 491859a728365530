import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { pino } from 'pino'
import { isDatabaseDown } from '#src/platform/database/errors.ts'
import { openDatabase } from '#src/platform/database/open.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { createPreparedPostgres, testServer } from '#src/testing/database.ts'
import { eventually } from '#src/testing/eventually.ts'
import { openSilentProxy } from '#src/testing/silent-proxy.ts'

/** Statements of a request may be silent for five seconds more. */
const TIMEOUTS = { statement: 1, longStatement: 1, lock: 1, idleTransaction: 60 }
const LIMIT_MS = 6000

describe('PostgreSQL behind connections that go silent', { skip: !testServer && 'PostgreSQL only' }, () => {
  let api: TestApp
  let database: Awaited<ReturnType<typeof openDatabase>>
  let proxy: Awaited<ReturnType<typeof openSilentProxy>>
  let drop: () => Promise<void>
  const lines: { level: number; msg: string; rejected?: number }[] = []

  before(async () => {
    const created = await createPreparedPostgres(testServer as string)
    drop = created.drop
    proxy = await openSilentProxy(new URL(created.url))
    database = await openDatabase({ databaseUrl: proxy.url, dataFolder: '', databaseTimeouts: TIMEOUTS })
    const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
    api = await testApp({}, { database, log })
  })
  after(async () => {
    await api.close()
    proxy.close()
    await drop()
  })

  /** Uses as many connections as the service opens. */
  const useAll = () =>
    Promise.all([
      ...Array.from({ length: 12 }, () => sql`select pg_sleep(0.3)`.execute(database.db)),
      ...Array.from({ length: 8 }, () =>
        database.db.transaction().execute((transaction) => sql`select pg_sleep(0.3)`.execute(transaction)),
      ),
      ...Array.from({ length: 5 }, () => sql`select pg_sleep(0.3)`.execute(database.long)),
      ...Array.from({ length: 4 }, () => sql`select pg_sleep(0.3)`.execute(database.background)),
      api.call('GET', '/readyz'),
    ])

  test('lists, changes, exports, and readiness recover without a restart', async () => {
    await useAll()
    assert.ok(proxy.silence() >= 28)
    const startedAt = Date.now()
    const requests = ['/api/companies', '/api/companies/export', '/readyz', '/api/stats']
    const rejected = await Promise.all(
      Array.from({ length: 60 }, (_value, n) => api.call('GET', requests[n % 4] as string)),
    )
    assert.ok(rejected.some(({ status }) => status === 503))
    for (const { status, body } of rejected)
      if (status !== 200) assert.match(body.details, /^The database cannot be reached/)
    await eventually(async () => {
      for (const url of requests) assert.equal((await api.call('GET', url)).status, 200, url)
      assert.equal((await api.call('POST', '/api/companies', { name: `Made at ${Date.now()}` })).status, 201)
    })
    const tookMs = Date.now() - startedAt
    assert.ok(tookMs < 2.5 * LIMIT_MS, `${tookMs} ms`)
  })

  test('a transaction that loses its connection fails and leaves none behind', async () => {
    const failed = database.db.transaction().execute(async (transaction) => {
      await sql`select 1`.execute(transaction)
      proxy.silence()
      await sql`select 1`.execute(transaction)
    })
    await assert.rejects(failed, isDatabaseDown)
    await useAll()
  })

  test('the server is asked about a statement without a limit before its connection is closed', async () => {
    const { rows } = await database.db.transaction().execute(async (transaction) => {
      await sql`set local statement_timeout = 0`.execute(transaction)
      return sql`select pg_sleep(${(LIMIT_MS + 2000) / 1000}), 'done' as result`.execute(transaction)
    })
    assert.equal((rows[0] as { result: string }).result, 'done')
  })

  test('connections that were idle while they went silent are closed', async () => {
    await useAll()
    const silent = proxy.silence()
    await eventually(async () =>
      assert.ok(proxy.connections() < silent / 2, `${proxy.connections()} of ${silent}`),
    )
  })
})
