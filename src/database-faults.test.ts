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

  before(async () => {
    const created = await createPostgres(testServer as string)
    drop = created.drop
    const database = await openDatabase({
      databaseUrl: created.url,
      dataFolder: '',
      databaseTimeouts: TIMEOUTS,
    })
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

  test('a table that is locked is a 503 that says so, and the service stays ready', async () => {
    await whileLocked('lock table companies in access exclusive mode', async () => {
      const { status, body } = await api.call('GET', '/api/companies')
      assert.equal(status, 503)
      assert.match(body.details, /Try again/)
      assert.equal((await api.call('GET', '/readyz')).status, 200)
    })
    assert.equal((await api.call('GET', '/api/companies')).status, 200)
  })

  test('a statement that takes too long is a 503 that says so', async () => {
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
    const address = await api.app.listen({ host: '127.0.0.1', port: 0 })
    const running =
      "select count(*)::int as n from pg_stat_activity where application_name = 'deal-pipeline long' and state = 'active' and datname = current_database()"
    await whileLocked('lock table theses in access exclusive mode', async () => {
      const controller = new AbortController()
      const answer = fetch(`${address}/api/companies/export`, {
        headers: { 'x-user-email': 'ada@fund.example' },
        signal: controller.signal,
      })
      await eventually(async () => assert.equal((await observer.query(running)).rows[0].n, 1))
      controller.abort()
      await assert.rejects(answer)
      await eventually(async () => assert.equal((await observer.query(running)).rows[0].n, 0))
    })
  })
})
