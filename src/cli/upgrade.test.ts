import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { ended, killAll, launch, ready } from '#dev/processes.ts'
import { migrations } from '#src/migrations/migrations.ts'
import { openDatabase } from '#src/platform/database/open.ts'
import { runCommandLine } from '#src/testing/command-line.ts'
import { testServer } from '#src/testing/database.ts'
import { eventually } from '#src/testing/eventually.ts'
import { freePort } from '#src/testing/free-port.ts'
import { slow } from '#src/testing/slow.ts'
import {
  clear,
  LACKING,
  LAST,
  type OlderDatabase,
  obstruct,
  olderDatabase,
} from './older-database.fixture.ts'

let older: OlderDatabase
beforeEach(async () => {
  await older?.remove()
  older = await olderDatabase()
})
after(async () => {
  await killAll()
  await older.remove()
})

const upgrade = (...words: string[]) => runCommandLine(['upgrade', ...words], { env: older.settings })
const postgresOnly = { skip: slow || (!testServer && 'PostgreSQL only') }
/** Both engines take the same way, and PostgreSQL starts faster. */
const onPostgres = { skip: !testServer && slow }
const embeddedOnly = { skip: slow || (testServer && 'embedded only') }

async function startService(settings: Record<string, string> = {}) {
  const port = await freePort()
  const running = launch('main.ts', older.folder, { ...older.settings, PORT: String(port), ...settings })
  return { ...running, url: `http://localhost:${port}` }
}

test('status and plan say what an upgrade would do, and run does it once', async () => {
  const before = await upgrade('status')
  assert.equal(before.status, 3, before.errors)
  assert.match(before.output, new RegExp(`The last migration of the database is ${LAST}\\.\n`))
  assert.match(
    before.output,
    new RegExp(`${LACKING.length} migrations are pending: ${LACKING.join(', ')}\\. `),
  )
  const plan = await upgrade('plan')
  assert.equal(plan.status, 0, plan.errors)
  assert.match(plan.output, /\n {2}0059_backup_runs {10}Adds scheduled backups\. A few seconds\.\n/)
  assert.match(plan.output, /Together a few seconds\. That is an estimate from the numbers of rows/)
  assert.match(
    plan.output,
    testServer
      ? /\nProcesses of the previous version keep serving\. Replace them one by one after the upgrade\.\n/
      : /\nStop the service first: only one process can open the embedded database\.\n/,
  )
  assert.deepEqual(await older.added(), [], 'neither changes anything')

  const file = path.join(older.folder, 'before.backup')
  const run = await upgrade('run', '--backup', file)
  assert.equal(run.status, 0, run.errors)
  assert.match(run.errors, /Backed up 0 companies, .* to \S+before\.backup/)
  assert.match(
    run.output,
    /0059_backup_runs: Adds scheduled backups\.\n {2}done in \d+\.\d s\n0060_schema_requirements: .*\n {2}done/,
  )
  assert.match(
    run.output,
    new RegExp(`up to date: it has all ${Object.keys(migrations).length} migrations\\.\n$`),
  )
  assert.deepEqual(await older.added(), LACKING)
  const verified = await runCommandLine(['backup', 'verify', file], { env: older.settings })
  assert.equal(verified.status, 0, verified.errors)

  const again = await upgrade('run', '--backup', path.join(older.folder, 'second.backup'))
  assert.deepEqual([again.status, existsSync(path.join(older.folder, 'second.backup'))], [0, false])
  assert.match(again.output, /so no backup was made/)
  const done = await upgrade('status')
  assert.equal(done.status, 0, done.errors)
  assert.match(done.output, /The database is up to date\.\nNo background work is left\.\n$/)
})

test('status names the background work that is left', { skip: slow }, async () => {
  assert.equal((await upgrade('run')).status, 0)
  await older.edit((db) =>
    sql`insert into companies (id, name, status, created_at, updated_at)
      select 'cmp_' || n, 'Loom ' || n, 'active', now(), now() from generate_series(1, 1200) n`.execute(db),
  )
  const { status, output, errors } = await upgrade('status')
  assert.equal(status, 0, errors)
  assert.match(output, /\n {2}index of words: 1,200 of 1,200 companies to go\n/)
  assert.match(output, /\n {2}possible duplicates: 1,200 of 1,200 companies to go\n/)
  assert.doesNotMatch(output, /vectors|logos/, 'which these settings do not use')
})

test(
  'a migration that fails is rolled back, those before it stay, and the next run goes on',
  onPostgres,
  async () => {
    // The last migration creates the view and its function.
    await older.edit((db) => sql`drop view change_events`.execute(db))
    const failed = await upgrade('run')
    assert.equal(failed.status, 1)
    assert.match(failed.output, /0060_schema_requirements: .*\n {2}done in .*\n0061_former_events: .*\n$/)
    assert.match(
      failed.errors,
      /^The migration 0061_former_events failed and was rolled back: function "keep_event" already exists [^\n]+\. The migrations before it stay\. [^\n]+\n$/,
    )
    assert.deepEqual(await older.added(), LACKING.slice(0, 2))
    await older.edit((db) => sql`drop function keep_event`.execute(db))
    assert.equal((await upgrade('run')).status, 0)
    assert.deepEqual(await older.added(), LACKING)
  },
)

test('a backup that fails stops the upgrade', { skip: slow }, async () => {
  const file = path.join(older.folder, 'there.backup')
  await writeFile(file, 'kept')
  const { status, errors } = await upgrade('run', '--backup', file)
  assert.equal(status, 1)
  assert.match(errors, /there\.backup exists already\. Choose another name, or remove it first\.\n$/)
  const missing = await upgrade('run', '--backup', path.join(older.folder, 'nowhere', 'a.backup'))
  assert.deepEqual(
    [missing.status, missing.errors.includes('nowhere does not exist')],
    [1, true],
    missing.errors,
  )
  assert.deepEqual(await older.added(), [])
})

test('a start whose migration fails ends with one sentence, and never answers', onPostgres, async () => {
  await older.edit(obstruct)
  const { child, log, url } = await startService()
  const answers: number[] = []
  const exit = ended(child)
  let isOver = false
  void exit.then(() => {
    isOver = true
  })
  while (!isOver)
    for (const route of ['/healthz', '/readyz', '/api/companies'])
      await fetch(`${url}${route}`).then(
        ({ status }) => answers.push(status),
        () => {},
      )
  assert.equal(await exit, 1)
  assert.match(
    log(),
    /^The migration 0059_backup_runs failed and was rolled back: relation "backup_runs" already exists\. [^\n]+ upgrade run\.\n$/,
  )
  assert.deepEqual(answers, [])
  assert.deepEqual(await older.added(), [])

  await older.edit(clear)
  const service = await startService()
  await ready(service.url, service)
  service.child.kill('SIGTERM')
  assert.equal(await ended(service.child), 0)
  assert.deepEqual(await older.added(), LACKING)
})

test('with MIGRATE_ON_START=false, only the command upgrades', { skip: slow }, async () => {
  const settings = { MIGRATE_ON_START: 'false' }
  const refused = await startService(settings)
  assert.equal(await ended(refused.child), 1)
  assert.equal(
    refused.log(),
    `The database lacks ${LACKING.length} migrations, from 0059_backup_runs on, and MIGRATE_ON_START is false. Run npm run cli -- upgrade run, and start again.\n`,
  )
  assert.deepEqual(await older.added(), [])
  assert.equal((await upgrade('run')).status, 0)
  const service = await startService(settings)
  await ready(service.url, service)
  service.child.kill('SIGTERM')
  assert.equal(await ended(service.child), 0)
})

test('an embedded database that a service has open is left alone', embeddedOnly, async () => {
  const { settings } = older
  const { close } = await openDatabase({ databaseUrl: undefined, dataFolder: settings.DATA_DIR as string })
  try {
    for (const action of ['status', 'plan', 'run']) {
      const { status, output, errors } = await upgrade(action)
      assert.deepEqual([status, output], [1, ''])
      assert.match(
        errors,
        /^\S+ is in use by another running service \(process \d+\)\. Stop it first, [^\n]+\n$/,
      )
    }
  } finally {
    await close()
  }
  assert.deepEqual(await older.added(), [])
})

test('a migration waits only briefly at a time for tables that are in use', postgresOnly, async () => {
  const { settings } = older
  const { background: db, close } = await openDatabase({ databaseUrl: settings.DATABASE_URL, dataFolder: '' })
  try {
    await sql`drop view change_events`.execute(db)
    await sql`drop function keep_event`.execute(db)
    let run: ReturnType<typeof upgrade> | undefined
    // As a backup does for minutes.
    await db.transaction().execute(async (transaction) => {
      await sql`lock table events in access exclusive mode`.execute(transaction)
      run = upgrade('run')
      const isWaiting = async () => {
        const { rows } = await sql`
          select from pg_stat_activity where wait_event_type = 'Lock' and query like '%create view change_events%'
            and datname = current_database()`.execute(db)
        return rows.length > 0
      }
      await eventually(async () => assert.equal(await isWaiting(), true))
      await eventually(async () => assert.equal(await isWaiting(), false))
    })
    const { status, output, errors } = (await run) ?? assert.fail()
    assert.equal(status, 0, errors)
    assert.match(
      output,
      /\n {2}Other work uses the tables of the migration\. Trying again for three minutes\.\n/,
    )
  } finally {
    await close()
  }
  assert.deepEqual(await older.added(), LACKING)
})

test(
  'a serving process refuses all writes from the moment it finds a newer schema, and ends',
  postgresOnly,
  async () => {
    const service = await startService()
    await ready(service.url, service)
    const { settings } = older
    const { background: db, close } = await openDatabase({
      databaseUrl: settings.DATABASE_URL,
      dataFolder: '',
    })
    const answers: [status: number, details: string][] = []
    try {
      await sql`insert into kysely_migration values ('9999_later', '2030-01-01T00:00:00Z')`.execute(db)
      await sql`update schema_requirements set oldest_migration = '9999_later'`.execute(db)
      const exit = ended(service.child)
      let isOver = false
      void exit.then(() => {
        isOver = true
      })
      while (!isOver)
        await fetch(`${service.url}/api/companies`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{"name":"Late"}',
        }).then(
          async (answer) =>
            answers.push([answer.status, ((await answer.json()) as { details: string }).details]),
          () => {},
        )
      assert.equal(await exit, 0)
      const { rows } = await sql<{ count: number }>`select count(*)::int as count from companies`.execute(db)
      assert.equal(rows[0]?.count, answers.filter(([status]) => status === 201).length)
    } finally {
      await close()
    }
    const refused = answers.findIndex(([status]) => status === 503)
    for (const [status, details] of refused < 0 ? [] : answers.slice(refused)) {
      assert.equal(status, 503)
      assert.match(details, /^The database has the migration 9999_later, which version /)
    }
    assert.match(service.log(), /"level":60.*The database has the migration 9999_later/)
  },
)

test('other words are refused with those that are allowed', onPostgres, async () => {
  const wrong = await upgrade('back')
  assert.deepEqual(
    [wrong.status, wrong.errors.split('\n')[0]],
    [2, 'upgrade needs the word status, plan, or run, not back.'],
  )
  const unused = await upgrade('plan', '--backup', 'file')
  assert.deepEqual(
    [unused.status, unused.errors.split('\n')[0]],
    [2, '--backup is an option of upgrade run only.'],
  )
})
