import assert from 'node:assert/strict'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { migrations } from '#src/migrations/migrations.ts'
import type { Db } from '#src/platform/database/database.ts'
import { migrateTo } from '#src/platform/database/migrate.ts'
import { executedMigrations } from '#src/platform/database/migrations.ts'
import { openDatabase } from '#src/platform/database/open.ts'
import { runCommandLine, startCommandLine } from '#src/testing/command-line.ts'
import { createPostgres, testServer } from '#src/testing/database.ts'
import { eventually } from '#src/testing/eventually.ts'
import { loggedRandom } from '#src/testing/random.ts'

const KILLS = Number(process.env.UPGRADE_KILLS ?? 10)
const FIRST = '0030_embedding_sources'
const NAMES = Object.keys(migrations)
const COMPANIES = 300

let folder: string
before(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-upgrade-killed-'))
  if (!testServer) await fill({ databaseUrl: undefined, dataFolder: path.join(folder, 'old') })
})
after(() => rm(folder, { recursive: true, force: true }))

interface Location {
  databaseUrl: string | undefined
  dataFolder: string
}

const edit = async <T>(location: Location, work: (db: Db) => Promise<T>): Promise<T> => {
  const { background, close } = await openDatabase(location)
  return work(background).finally(close)
}

const fill = (location: Location) =>
  edit(location, async (db) => {
    await migrateTo(db, migrations, FIRST)
    await sql`
      insert into companies (id, name, website, status, created_at, updated_at, match_key)
      select 'cmp_' || n, 'Loom ' || n, 'https://loom' || n || '.example', 'active', now(), now(), 'loom' || n
      from generate_series(1, ${sql.lit(COMPANIES)}) n`.execute(db)
  })

/** The structure of a database, and its companies. */
const contentOf = (location: Location) =>
  edit(location, async (db) => {
    const { rows } = await sql`
      select table_name, column_name, data_type from information_schema.columns where table_schema = current_schema()
      union all select tablename, indexname, indexdef from pg_indexes where schemaname = current_schema()
      union all select event_object_table, trigger_name, event_manipulation from information_schema.triggers
      union all select id, name, website from companies
      order by 1, 2, 3`.execute(db)
    return rows
  })

async function oldDatabase(): Promise<{ location: Location; remove(): Promise<unknown> }> {
  if (testServer) {
    const { url, drop } = await createPostgres(testServer)
    const location = { databaseUrl: url, dataFolder: path.join(folder, 'data') }
    await fill(location)
    return { location, remove: drop }
  }
  const dataFolder = path.join(folder, 'data')
  await cp(path.join(folder, 'old'), dataFolder, { recursive: true })
  return {
    location: { databaseUrl: undefined, dataFolder },
    remove: () => rm(dataFolder, { recursive: true }),
  }
}

const environment = ({ databaseUrl, dataFolder }: Location) => ({
  PATH: process.env.PATH,
  DATA_DIR: dataFolder,
  DATABASE_URL: databaseUrl ?? '',
})

async function upgrade(location: Location): Promise<number> {
  const start = performance.now()
  const { status, errors } = await runCommandLine(['upgrade', 'run'], { env: environment(location) })
  assert.equal(status, 0, errors)
  return performance.now() - start
}

test(`an upgrade that is killed continues: ${KILLS} upgrades give what one without kills gives`, async (t) => {
  const random = loggedRandom(t)
  const whole = await oldDatabase()
  const duration = await upgrade(whole.location)
  const expected = await contentOf(whole.location)
  await whole.remove()
  const reached: number[] = []
  for (let n = 0; n < KILLS; n++) {
    const { location, remove } = await oldDatabase()
    const { child, ended } = startCommandLine(['upgrade', 'run'], { env: environment(location) })
    await sleep(duration * (0.4 + random() * 0.6))
    child.kill('SIGKILL')
    await ended
    // PostgreSQL may still be committing.
    const executed = await eventually(() => edit(location, executedMigrations))
    const names = [...executed].sort()
    assert.deepEqual(names, NAMES.slice(0, names.length), 'a part of the migrations, in their order')
    reached.push(names.length)
    await upgrade(location)
    assert.deepEqual(await contentOf(location), expected)
    await remove()
  }
  t.diagnostic(`migrations before the kills, of ${NAMES.length}: ${reached.join(', ')}`)
})
