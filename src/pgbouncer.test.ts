import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { withLockIfFree } from '#src/platform/database/advisory-locks.ts'
import type { Database, Db } from '#src/platform/database/database.ts'
import { openDatabase } from '#src/platform/database/open.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { createPreparedPostgres, testServer } from '#src/testing/database.ts'
import { eventually } from '#src/testing/eventually.ts'
import { freePort } from '#src/testing/free-port.ts'
import { openSilentProxy } from '#src/testing/silent-proxy.ts'
import { explainStartupError } from './startup-error.ts'
import { slow } from './testing/slow.ts'

const PATH = `${process.env.PATH}:/usr/sbin`
const POOL_SIZE = 5
const TIMEOUTS = { statement: 7, longStatement: 11, lock: 3, idleTransaction: 60 }
const SETTINGS = [
  'statement_timeout',
  'lock_timeout',
  'idle_in_transaction_session_timeout',
  'work_mem',
  'jit',
]

const version = findVersion()
const missing = (!testServer && 'PostgreSQL only') || (!version && 'pgbouncer is not installed')

describe(`PgBouncer ${version ?? ''} in transaction mode`, { skip: missing }, () => {
  let folder: string
  let pooler: ChildProcess
  let statementPooler: ChildProcess | undefined
  let api: TestApp
  let database: Database
  let direct: string
  let pooled: string
  let proxy: Awaited<ReturnType<typeof openSilentProxy>>
  let drop: () => Promise<void>

  before(async () => {
    const created = await createPreparedPostgres(testServer as string)
    direct = created.url
    drop = created.drop
    folder = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-pgbouncer-'))
    const port = await freePort()
    pooler = await startPooler(folder, new URL(direct), port, 'transaction')
    const url = new URL(direct)
    url.host = `127.0.0.1:${port}`
    pooled = url.href
    await eventually(() => ask(pooled, 'select 1'))
    proxy = await openSilentProxy(url)
    database = await openDatabase({ databaseUrl: proxy.url, dataFolder: '', databaseTimeouts: TIMEOUTS })
    api = await testApp({}, { database })
  })
  after(async () => {
    await api?.close()
    proxy?.close()
    pooler?.kill('SIGKILL')
    statementPooler?.kill('SIGKILL')
    await drop?.()
    await rm(folder, { recursive: true, force: true })
  })

  test('readers and writers get answers', async () => {
    const statuses = new Set<number>()
    const client = async (first: number) => {
      for (let n = first; n < first + 12; n++) {
        const { status } =
          n % 6 === 0
            ? await api.call('POST', '/api/companies', { name: `Company ${n}` })
            : await api.call(
                'GET',
                ['/api/companies', '/api/companies?search=2', '/api/stats'][n % 3] as string,
              )
        statuses.add(status)
      }
    }
    await Promise.all(Array.from({ length: 20 }, (_value, n) => client(n * 12)))
    assert.deepEqual([...statuses].sort(), [200, 201])
    assert.equal((await api.call('GET', '/api/companies')).body.pagination.total, 40)
  })

  test('each statement has the limits of its purpose, and other clients get none of the settings', async () => {
    const limitOf = async (db: Db) =>
      (
        await sql<{
          limit: string
        }>`select current_setting('statement_timeout') as limit where ${1} = 1`.execute(db)
      ).rows[0]?.limit
    assert.equal(await limitOf(database.db), '7s')
    assert.equal(await database.db.transaction().execute(limitOf), '7s')
    assert.equal(await limitOf(database.long), '11s')
    assert.equal(await database.background.transaction().execute(limitOf), '0')
    const settings = `select ${SETTINGS.map((name) => `current_setting('${name}') as ${name}`)}, pg_sleep(0.3)::text`
    const [expected] = await ask(direct, settings)
    const found = await Promise.all(Array.from({ length: POOL_SIZE }, () => ask(pooled, settings)))
    for (const [row] of found) assert.deepEqual(row, expected)
  })

  test('a statement that is too slow or waits too long for a lock is ended by the server', {
    skip: slow,
  }, async () => {
    await assert.rejects(sql`select pg_sleep(${60})`.execute(database.db), { code: '57014' })
    await database.db.transaction().execute(async (transaction) => {
      await sql`lock table companies`.execute(transaction)
      await assert.rejects(sql`select ${1} from companies`.execute(database.db), { code: '55P03' })
    })
  })

  test('indexes are built under a lock that no connection keeps', async () => {
    const { background } = database
    const build = () =>
      withLockIfFree(background, 'field indexes', async (connection) => {
        await withLockIfFree(background, 'field indexes', () => assert.fail('The lock is free.'))
        await sql`create index concurrently on companies (founded_year)`.execute(connection)
      })
    for (let n = 0; n < 3; n++) await build()
    const locks =
      "select from pg_locks join pg_database on oid = database where locktype = 'advisory' and datname = current_database()"
    // Background work of the service may hold a lock of its own for a moment.
    await eventually(async () => assert.equal((await ask(direct, locks)).length, 0))
    const indexes = "select from pg_indexes where indexname like 'companies_founded_year_idx%'"
    assert.equal((await ask(direct, indexes)).length, 3)
  })

  /** How the start ends with this database. */
  async function explainStart(databaseUrl: string): Promise<string | undefined> {
    const { db, close } = await openDatabase({ databaseUrl, dataFolder: '' })
    try {
      return await sql`select 1`.execute(db).then(() => 'It started.', explainStartupError)
    } finally {
      await close()
    }
  }

  test('extensions outside of the search path end the start with one sentence, and are found without a pooler', async () => {
    const other = await createPreparedPostgres(testServer as string)
    try {
      await ask(other.url, 'create schema extensions; alter extension pg_trgm set schema extensions')
      const url = new URL(pooled)
      url.pathname = new URL(other.url).pathname
      assert.match(
        (await explainStart(url.href)) ?? '',
        /^DATABASE_URL: The extensions in the schema extensions are outside of the search path, .* Run: alter role \S+ set search_path = "\$user", public, extensions; [^\n]+\.$/,
      )
      const { db, close } = await openDatabase({ databaseUrl: other.url, dataFolder: '' })
      await sql`select similarity('a', 'b')`.execute(db).finally(close)
    } finally {
      await other.drop()
    }
  })

  test('a pooler that does not allow transactions ends the start with one sentence', async () => {
    const url = new URL(direct)
    const port = await freePort()
    statementPooler = await startPooler(folder, url, port, 'statement')
    url.host = `127.0.0.1:${port}`
    await eventually(() => ask(url.href, 'select 1'))
    assert.match(
      (await explainStart(url.href)) ?? '',
      /^DATABASE_URL: The pooler does not allow transactions \([^\n]+\)\. Set its pool_mode to transaction or session\.$/,
    )
  })

  test('connections to the pooler that go silent are closed', { skip: slow }, async () => {
    assert.ok(proxy.silence() > 0)
    await Promise.all(Array.from({ length: 20 }, () => api.call('GET', '/api/companies')))
    await eventually(async () => {
      for (const url of ['/api/companies', '/readyz'])
        assert.equal((await api.call('GET', url)).status, 200, url)
      assert.equal((await api.call('POST', '/api/companies', { name: `At ${Date.now()}` })).status, 201)
    })
  })
})

function findVersion(): string | undefined {
  try {
    const output = execFileSync('pgbouncer', ['--version'], {
      env: { PATH },
      encoding: 'utf8',
      stdio: 'pipe',
    })
    return /^PgBouncer (\S+)/.exec(output)?.[1]
  } catch {
    return undefined
  }
}

async function startPooler(folder: string, target: URL, port: number, mode: string): Promise<ChildProcess> {
  const [major = 0, minor = 0] = (version ?? '').split('.').map(Number)
  const file = path.join(folder, `${mode}.ini`)
  const password = target.password ? `password=${decodeURIComponent(target.password)}` : ''
  const lines = [
    '[databases]',
    `* = host=${target.hostname} port=${target.port} user=${target.username} ${password}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    `pool_mode = ${mode}`,
    `default_pool_size = ${POOL_SIZE}`,
    'max_client_conn = 200',
    ...(major > 1 || minor > 20 ? ['max_prepared_statements = 200'] : []),
    ...(process.getuid?.() === 0 ? ['user = nobody'] : []),
  ]
  await writeFile(file, lines.join('\n'))
  return spawn('pgbouncer', ['--quiet', file], { env: { PATH }, stdio: 'ignore' })
}

async function ask(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}
