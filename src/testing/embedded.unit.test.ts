import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import type { Database, Db } from '#src/platform/database/database.ts'
import { freshEmbedded } from './embedded.ts'

const engineOf = ({ source }: Database) => 'pglite' in source && source.pglite.Module

/** Everything that could differ: rows, files, settings, and what belongs to a session. */
const PARTS = {
  tables: `select oid::regclass::text, relfilenode, reltuples, relpages, relnatts, pg_relation_size(oid)
    from pg_class order by oid`,
  types: 'select oid, typname from pg_type order by oid',
  functions: 'select oid, proname, prosrc from pg_proc order by oid',
  triggers: 'select oid, tgname, tgenabled from pg_trigger order by oid',
  rows: `select oid::regclass::text, query_to_xml('select * from ' || oid::regclass, true, true, '')::text
    from pg_class where relkind = 'r' and relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
    order by oid`,
  sequences: 'select schemaname, sequencename, last_value from pg_sequences order by 1, 2',
  settings: 'select name, setting from pg_settings order by 1',
  locks: `select objid from pg_locks where locktype = 'advisory'`,
  statements: 'select name from pg_prepared_statements',
  channels: 'select pg_listening_channels()',
  transaction: 'select pg_snapshot_xmax(pg_current_snapshot())',
  writeAheadLog: 'select pg_current_wal_insert_lsn()::text',
  files: `select count(*), sum((pg_stat_file('base/5/' || name)).size) from pg_ls_dir('base/5') name`,
}

async function stateOf({ db }: Database): Promise<Record<string, unknown>> {
  const state: Record<string, unknown> = {}
  for (const [name, query] of Object.entries(PARTS)) state[name] = (await sql.raw(query).execute(db)).rows
  return state
}

const CHANGES = [
  `insert into users (email, name, role, preferences) values ('ada@example.com', 'Ada', 'member', '{}')`,
  'create table noise as select n, repeat(md5(n::text), 20) as text from generate_series(1, 3000) n',
  'create index noise_text on noise using gin (text gin_trgm_ops)',
  'create temporary table passing (id int)',
  `create type color as enum ('red')`,
  `create function one() returns int language sql as 'select 1'`,
  "create sequence counted; select nextval('counted')",
  'alter table users add column shoe_size int',
  'alter table companies disable trigger all',
  'drop table idempotency_keys cascade',
  `alter system set work_mem = '1MB'`,
  `set work_mem = '2MB'; set timezone = 'Asia/Tokyo'; set search_path = pg_catalog`,
  'select pg_advisory_lock(7)',
  'prepare question as select 1',
  'listen news',
  'checkpoint',
  'vacuum',
]

async function change(db: Db): Promise<void> {
  for (const statement of CHANGES) for (const part of statement.split('; ')) await sql.raw(part).execute(db)
  await assert.rejects(sql`select * from nothing_here`.execute(db))
}

describe('embedded databases of tests', () => {
  test('one that was closed is used again, and differs in nothing from a new one', async () => {
    const first = await freshEmbedded()
    const engine = engineOf(first)
    const state = await stateOf(first)
    assert.ok((state.rows as unknown[]).length > 10)
    for (const round of [1, 2]) {
      const database = round === 1 ? first : await freshEmbedded()
      assert.equal(engineOf(database), engine)
      await change(database.db)
      const changed = await stateOf(database)
      for (const part of Object.keys(PARTS)) assert.notDeepEqual(changed[part], state[part], part)
      await database.close()
      const next = await freshEmbedded()
      assert.equal(engineOf(next), engine)
      assert.deepEqual(await stateOf(next), state)
      await next.close()
    }
  })

  test('two that are open do not share anything', async () => {
    const [one, other] = [await freshEmbedded(), await freshEmbedded()]
    await sql`create table noise (id int)`.execute(one.db)
    await assert.rejects(sql`select * from noise`.execute(other.db), /noise/)
    assert.notEqual(engineOf(one), engineOf(other))
    await one.close()
    await other.close()
  })

  test('a statement after the end reaches no other test', async () => {
    const previous = await freshEmbedded()
    const { source } = previous
    await previous.close()
    const next = await freshEmbedded()
    assert.equal(engineOf(previous), engineOf(next))
    await assert.rejects(sql`create table noise (id int)`.execute(previous.db))
    if ('pglite' in source)
      await assert.rejects(source.pglite.exec('create table noise (id int)'), /is closed/)
    await assert.rejects(sql`select * from noise`.execute(next.db), /noise/)
    await next.close()
  })

  test('one that loaded a library is not used again', async () => {
    const previous = await freshEmbedded()
    const engine = engineOf(previous)
    await sql`load 'pgoutput'`.execute(previous.db)
    await previous.close()
    const next = await freshEmbedded()
    assert.notEqual(engineOf(next), engine)
    await next.close()
  })
})
