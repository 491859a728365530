import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { testServer } from '#src/testing/database.ts'
import { checkpoint } from './checkpoint.ts'
import { openDatabase } from './open.ts'

/** A file of the write-ahead log has 16 MB. */
const MAX_FILES = 14

test('the write-ahead log of the embedded database does not grow without bound', {
  skip: testServer && 'embedded only',
}, async () => {
  const dataFolder = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-test-'))
  const { db, close } = await openDatabase({ databaseUrl: undefined, dataFolder })
  const files = async () =>
    (await readdir(path.join(dataFolder, 'database/pg_wal'))).filter((name) => /^[0-9A-F]{24}$/.test(name))
      .length
  try {
    await sql`create table notes (id int primary key, body text)`.execute(db)
    await sql`insert into notes select n, repeat('x', 1000) from generate_series(1, 10000) n`.execute(db)
    // About 25 MB each.
    for (let round = 0; round < 25; round++) {
      await sql`update notes set body = repeat(${String.fromCharCode(97 + round)}, 1000)`.execute(db)
      await sql`vacuum notes`.execute(db)
      await checkpoint(db)
      const count = await files()
      assert.ok(count <= MAX_FILES, `${count} files after ${round} rounds`)
    }
  } finally {
    await close()
    await rm(dataFolder, { recursive: true })
  }
})
