import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { maintainFieldIndexes } from '#src/features/custom-fields/store.ts'
import { DATABASE_TIMEOUTS } from '#src/platform/config/database.ts'
import { isTimeout } from '#src/platform/database/faults.ts'
import { openDatabase } from '#src/platform/database/open.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { createPreparedPostgres, testServer } from '#src/testing/database.ts'
import { eventually } from '#src/testing/eventually.ts'
import { freePort } from '#src/testing/free-port.ts'

const PGBOUNCER = '/usr/sbin/pgbouncer'
const SERVER_CONNECTIONS = 3
const NOBODY = 65_534

/** PgBouncer in transaction mode, without `max_prepared_statements`, which versions before 1.21 do not have. */
async function startPooler(target: URL): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-pooler-'))
  await chmod(folder, 0o755)
  const port = await freePort()
  const settings = path.join(folder, 'pgbouncer.ini')
  await writeFile(
    settings,
    `[databases]
* = host=${target.hostname} port=${target.port} user=${target.username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${SERVER_CONNECTIONS}
max_client_conn = 200
`,
  )
  // It refuses to run as root.
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
  const child: ChildProcess = spawn(PGBOUNCER, [settings], { ...user, stdio: 'ignore' })
  const url = new URL(target)
  url.port = String(port)
  await eventually(async () => {
    const client = new pg.Client({ connectionString: url.href })
    await client.connect()
    await client.end()
  })
  return {
    url: url.href,
    stop: async () => {
      child.kill()
      await once(child, 'exit')
      await rm(folder, { recursive: true })
    },
  }
}

const reason = !testServer
  ? 'PostgreSQL only'
  : !existsSync(PGBOUNCER) && `needs ${PGBOUNCER} (Debian package pgbouncer)`

describe('PgBouncer in transaction mode', { skip: reason }, () => {
  let api: TestApp
  let database: Awaited<ReturnType<typeof openDatabase>>
  let pooler: Awaited<ReturnType<typeof startPooler>>
  let drop: () => Promise<void>

  before(async () => {
    const created = await createPreparedPostgres(testServer as string)
    drop = created.drop
    pooler = await startPooler(new URL(created.url))
    const databaseTimeouts = { ...DATABASE_TIMEOUTS, statement: 3 }
    database = await openDatabase({ databaseUrl: pooler.url, dataFolder: '', databaseTimeouts })
    api = await testApp({}, { database })
  })
  after(async () => {
    await api?.close()
    await pooler?.stop()
    await drop?.()
  })

  test('an import, many lists at once, and the job queue work', async () => {
    const rows = Array.from({ length: 1200 }, (_value, n) => `Firm ${n},https://firm${n}.example`)
    const imported = api.call('POST', '/api/companies/import', ['name,website', ...rows].join('\n'), {
      headers: { 'content-type': 'text/csv' },
    })
    const urls = ['/api/companies?search=Firm', '/api/companies?sort=-name', '/api/stats', '/api/activity']
    const answers = await Promise.all(
      Array.from({ length: 120 }, (_value, n) => api.call('GET', urls[n % urls.length] as string)),
    )
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    assert.equal((await imported).body.data.created, 1200)
    const { data: companies } = (await api.call('GET', '/api/companies?limit=20')).body
    const action = {
      action_type: 'llm_score',
      company_ids: companies.map(({ id }: { id: string }) => id),
    }
    const { data } = (await api.call('POST', '/api/bulk-actions', action)).body
    const queue = api.context.bulkQueues.llm_score
    const job = await queue.fetch()
    assert.equal(job?.data.bulk_action_id, data.id)
    await queue.complete(job as NonNullable<typeof job>)
  })

  test('indexes are built outside of a transaction', async () => {
    const field = { entity: 'company', label: 'Round', type: 'text' }
    const { data } = (await api.call('POST', '/api/fields', field)).body
    await maintainFieldIndexes(database.background, new AbortController().signal, async () => false)
    const { rows } = await sql`select from pg_indexes where indexname = ${`custom_${data.id}`}`.execute(
      database.db,
    )
    assert.equal(rows.length, 1)
  })

  test('a time limit ends a statement, and no setting reaches other clients of the pooler', async () => {
    await assert.rejects(sql`select pg_sleep(60)`.execute(database.db), isTimeout)
    await assert.rejects(
      database.db.transaction().execute((transaction) => sql`select pg_sleep(60)`.execute(transaction)),
      isTimeout,
    )
    const found = new Set<string>()
    for (let n = 0; n < 5 * SERVER_CONNECTIONS; n++) {
      const client = new pg.Client({ connectionString: pooler.url })
      await client.connect()
      const names = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'work_mem']
      const shown = names.map((name) => `current_setting('${name}')`).join(` || ' ' || `)
      const { rows } = await client.query<{ shown: string }>(`select ${shown} as shown`)
      found.add(rows[0]?.shown ?? '')
      await client.end()
    }
    assert.deepEqual([...found], ['0 0 0 4MB'])
  })
})
