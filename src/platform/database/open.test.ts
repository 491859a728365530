import assert from 'node:assert/strict'
import { chmod, mkdtemp, rm, stat } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { DATABASE_TIMEOUTS } from '#src/platform/config/database.ts'
import { createPostgres, testServer } from '#src/testing/database.ts'
import { freshEmbedded } from '#src/testing/embedded.ts'
import { slow } from '#src/testing/slow.ts'
import { isDatabaseDown } from './errors.ts'
import { openDatabase } from './open.ts'

/** Here and on the server, which is often the same machine. */
const FREE_BYTES = 4 * 1024 ** 3

test('a connection that breaks between two statements fails its transaction, not the process', {
  skip: !testServer && 'PostgreSQL only',
}, async () => {
  const { url, drop } = await createPostgres(testServer as string)
  const { db, close } = await openDatabase({ databaseUrl: url, dataFolder: '' })
  try {
    const broken = db.transaction().execute(async (transaction) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(transaction)
      await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(db)
      await sleep(200)
      await sql`select 1`.execute(transaction)
    })
    await assert.rejects(broken, isDatabaseDown)
    await sql`select 1`.execute(db)
  } finally {
    await close()
    await drop()
  }
})

test('a connection whose time limits cannot be set is not used', {
  skip: !testServer && 'PostgreSQL only',
}, async () => {
  const databaseTimeouts = { ...DATABASE_TIMEOUTS, statement: -1 }
  const { db, long, close } = await openDatabase({
    databaseUrl: testServer,
    dataFolder: '',
    databaseTimeouts,
  })
  try {
    for (let attempt = 0; attempt < 2; attempt++)
      await assert.rejects(
        sql`select 1`.execute(db),
        /outside the valid range for parameter "statement_timeout"/,
      )
    await sql`select 1`.execute(long)
  } finally {
    await close()
  }
})

test('a value that is too long for a string fails its query, not the process', {
  skip: slow || (!testServer && 'PostgreSQL only') || (os.freemem() < FREE_BYTES && 'too little memory'),
}, async () => {
  const { url, drop } = await createPostgres(testServer as string)
  const { db, close } = await openDatabase({ databaseUrl: url, dataFolder: '' })
  try {
    await assert.rejects(sql`select repeat('x', 600000000)`.execute(db), { code: 'ERR_STRING_TOO_LONG' })
    await sql`select 1`.execute(db)
  } finally {
    await close()
    await drop()
  }
})

test('only the owner can read the embedded database, even if permissions were wider before', {
  skip: slow || (testServer && 'embedded only'),
}, async () => {
  const parent = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-test-'))
  const dataFolder = path.join(parent, 'data')
  const permissions = async (folder: string) => (await stat(folder)).mode & 0o777
  try {
    for (const _start of ['first', 'second']) {
      const database = await openDatabase({ databaseUrl: undefined, dataFolder })
      await database.close()
      assert.equal(await permissions(path.join(dataFolder, 'database')), 0o700)
      await chmod(path.join(dataFolder, 'database'), 0o755)
    }
    assert.equal(await permissions(dataFolder), 0o700)
  } finally {
    await rm(parent, { recursive: true })
  }
})

test('many statements of the embedded database let other requests in between', {
  skip: testServer && 'embedded only',
}, async () => {
  const { db, close } = await freshEmbedded()
  try {
    let finished = 0
    const statements = Array.from({ length: 30 }, async () => {
      await sql`select sum(n) from generate_series(1, 50000) n`.execute(db)
      finished += 1
    })
    await new Promise(setImmediate)
    const beforeOthers = finished
    await Promise.all(statements)
    assert.ok(beforeOthers < finished, `${beforeOthers} of ${finished} statements ran first`)
  } finally {
    await close()
  }
})
