import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { migrate } from '#src/platform/database/migrate.ts'
import { openDatabase } from '#src/platform/database/open.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { createPostgres, testServer } from '#src/testing/database.ts'
import { eventually } from '#src/testing/eventually.ts'
import { migrations } from './migrations/migrations.ts'

const TIMEOUTS = { statement: 2, longStatement: 60, lock: 1, idleTransaction: 60 }

describe('PostgreSQL with stuck locks', { skip: !testServer && 'PostgreSQL only' }, () => {
  let api: TestApp
  let other: pg.Client
  let observer: pg.Client
  let id: string
  let drop: () => Promise<void>
  let open: (timeouts: typeof TIMEOUTS) => ReturnType<typeof openDatabase>

  before(async () => {
    const created = await createPostgres(testServer as string)
    drop = created.drop
    open = (databaseTimeouts) => openDatabase({ databaseUrl: created.url, dataFolder: '', databaseTimeouts })
    const database = await open(TIMEOUTS)
    await migrate(database.background, migrations)
    api = await testApp({}, { database })
    other = new pg.Client(created.url)
    await other.connect()
    observer = new pg.Client(created.url)
    await observer.connect()
    id = (await api.call('POST', '/api/companies', { name: 'Locked' })).body.data.id
  })
  after(async () => {
    await other.end()
    await observer.end()
    await api.close()
    await drop()
  })

  const whileLocked = async (lock: string, work: () => Promise<void>) => {
    await other.query('begin')
    await other.query(lock)
    try {
      await work()
    } finally {
      await other.query('rollback')
    }
  }

  test('a change that waits for a row is a 503, and reads continue', async () => {
    await whileLocked(`select from companies where id = '${id}' for update`, async () => {
      const changes = Array.from({ length: 30 }, (_value, n) =>
        api.call('PATCH', `/api/companies/${id}`, { name: `Renamed ${n}` }),
      )
      const settled = Promise.all(changes).then(() => 'settled')
      const list = await api.call('GET', '/api/companies')
      assert.equal(list.status, 200)
      assert.equal((await api.call('GET', '/readyz')).status, 200)
      assert.equal(await Promise.race([settled, Promise.resolve('waiting')]), 'waiting')
      for (const { status, headers, body } of await Promise.all(changes)) {
        assert.equal(status, 503)
        assert.ok(Number(headers['retry-after']) > 0)
        assert.match(
          body.details,
          /^Other requests are changing the same records|^The database (cannot be reached|took too long)/,
        )
      }
    })
    assert.equal((await api.call('PATCH', `/api/companies/${id}`, { name: 'Renamed' })).status, 200)
  })

  test('a locked table is a 503 that names the lock, and the service stays ready', async () => {
    await whileLocked('lock table companies in access exclusive mode', async () => {
      const { status, body } = await api.call('GET', '/api/companies')
      assert.equal(status, 503)
      assert.match(body.details, /Try again/)
      assert.equal((await api.call('GET', '/readyz')).status, 200)
    })
    assert.equal((await api.call('GET', '/api/companies')).status, 200)
  })

  test('a statement that takes too long is a 503 that names the time limit', async () => {
    await other.query(`create function slow() returns trigger language plpgsql as
      'begin perform pg_sleep(10); return new; end'`)
    await other.query('create trigger slow before insert on theses for each row execute function slow()')
    const { status, body } = await api.call('POST', '/api/theses', { code: 'SLOW', title: 'Slow' })
    await other.query('drop trigger slow on theses')
    assert.equal(status, 503)
    assert.match(body.details, /took too long/)
    assert.equal((await api.call('GET', '/api/theses')).body.pagination.total, 0)
  })

  test('exports that wait leave lists alone', async () => {
    await whileLocked('lock table theses in access exclusive mode', async () => {
      const exports = Array.from({ length: 8 }, () => api.call('GET', '/api/companies/export'))
      const waiting =
        "select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"
      await eventually(async () => assert.equal((await observer.query(waiting)).rows[0].n, 5))
      assert.equal((await api.call('GET', '/api/companies')).status, 200)
      await other.query('rollback')
      for (const { status } of await Promise.all(exports)) assert.equal(status, 200)
    })
  })

  test('a client that disconnects cancels its statement', async () => {
    // Nothing else ends its statements.
    const database = await open({ ...TIMEOUTS, statement: 600, lock: 600, longStatement: 600 })
    const patient = await testApp({}, { database })
    const address = await patient.app.listen({ host: '127.0.0.1', port: 0 })
    const waiting = `select application_name as name from pg_stat_activity
      where application_name like 'deal-pipeline %' and wait_event_type = 'Lock' and datname = current_database()`
    const filter = encodeURIComponent(JSON.stringify({ field: 'via', op: 'eq', value: 'import' }))
    for (const [path, table, pool] of [
      ['companies/export', 'theses', 'long'],
      [`companies/${id}/history`, 'activity', 'reads'],
      ['activity?entity_id=none', 'activity', 'reads'],
      [`activity?filter=${filter}`, 'activity', 'long'],
      ['dealflow', 'dealflow', 'reads'],
      ['dealflow/stages', 'dealflow', 'reads'],
      ['theses', 'theses', 'reads'],
      ['trash', 'trash', 'reads'],
      ['actions', 'actions', 'reads'],
    ])
      await whileLocked(`lock table ${table} in access exclusive mode`, async () => {
        const controller = new AbortController()
        const answer = fetch(`${address}/api/${path}`, {
          headers: { 'x-user-email': 'ada@fund.example' },
          signal: controller.signal,
        })
        const names = async () => (await observer.query(waiting)).rows.map(({ name }) => name)
        await eventually(async () => assert.deepEqual(await names(), [`deal-pipeline ${pool}`], path))
        controller.abort()
        await assert.rejects(answer)
        await eventually(async () => assert.deepEqual(await names(), [], path))
      })
    await patient.close()
  })
})
