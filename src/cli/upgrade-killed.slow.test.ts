import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { runCommandLine, startCommandLine } from '#src/testing/command-line.ts'
import { loggedRandom } from '#src/testing/random.ts'
import { LACKING, type OlderDatabase, olderDatabase } from './older-database.fixture.ts'

const KILLS = Number(process.env.UPGRADE_KILLS ?? 10)

let older: OlderDatabase
before(async () => {
  older = await olderDatabase()
})
after(() => older.remove())

test(`an upgrade that is killed ${KILLS} times continues`, async (t) => {
  const random = loggedRandom(t)
  let longest = 0
  const measure = async () => {
    const start = performance.now()
    const { status, errors } = await runCommandLine(['upgrade', 'run'], { env: older.settings })
    assert.equal(status, 0, errors)
    longest = performance.now() - start
    assert.deepEqual(await older.added(), LACKING)
  }
  await measure()
  const reached = new Set<number>()
  for (let n = 0; n < KILLS; n++) {
    await older.edit(async (db) => {
      await sql`drop table if exists backup_runs, schema_requirements`.execute(db)
      await sql`delete from kysely_migration where name >= ${LACKING[0]}`.execute(db)
    })
    const { child, ended } = startCommandLine(['upgrade', 'run'], { env: older.settings })
    // The last part of a run is where the migrations are.
    await sleep(longest * (0.5 + random() / 2))
    child.kill('SIGKILL')
    await ended
    const added = await older.added()
    assert.deepEqual(added, LACKING.slice(0, added.length), 'a part of the migrations, in their order')
    reached.add(added.length)
    const { rows } = await older.edit((db) =>
      sql<{ is_there: boolean }>`select to_regclass(name)::text is not null as is_there
        from unnest(array['backup_runs', 'schema_requirements']) with ordinality as tables (name, n) order by n`.execute(
        db,
      ),
    )
    assert.deepEqual(
      rows.map(({ is_there }) => is_there),
      [added.length > 0, added.length > 1],
      'no migration is there in part',
    )
    await measure()
  }
  t.diagnostic(`migrations before the kills: ${[...reached].sort().join(', ')}`)
})
