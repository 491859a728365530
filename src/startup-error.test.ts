import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { TLSSocket } from 'node:tls'
import { sql } from 'kysely'
import pg from 'pg'
import { pino } from 'pino'
import { ended, killAll, launch } from '#dev/processes.ts'
import { migrations } from './migrations/migrations.ts'
import { DATABASE_TIMEOUTS } from './platform/config/database.ts'
import { migrate, migrateWhenReachable } from './platform/database/migrate.ts'
import { openDatabase } from './platform/database/open.ts'
import { explainStartupError } from './startup-error.ts'
import { createPostgres, freshDatabase, prepareDataFolder, testServer } from './testing/database.ts'
import { freePort } from './testing/free-port.ts'

let folder: string
before(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-startup-'))
})
after(async () => {
  await killAll()
  await rm(folder, { recursive: true, force: true })
})

test('a database with a newer schema ends the start with one sentence', async () => {
  const { db, close } = await freshDatabase()
  try {
    await sql`insert into kysely_migration values ('9999_later', '2030-01-01T00:00:00Z')`.execute(db)
    const error = await migrate(db, migrations).then(
      () => assert.fail('It started.'),
      (reason) => reason,
    )
    assert.match(
      explainStartupError(error) ?? '',
      /^The database has the migration 9999_later, which version \d\S* does not know\. A newer version has upgraded it: [^\n]+\.$/,
    )
  } finally {
    await close()
  }
})

test('extensions in a schema outside of the search path are found', {
  skip: !testServer && 'PostgreSQL only',
}, async () => {
  const { url, drop } = await createPostgres(testServer as string)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('create schema extensions')
  for (const name of ['pg_trgm', 'unaccent', 'vector'])
    await client.query(`create extension ${name} with schema extensions`)
  await client.end()
  const { db, close } = await openDatabase({ databaseUrl: url, dataFolder: '' })
  try {
    await migrate(db, migrations)
    await sql`select 1 from companies where search_text ilike '%acme%'`.execute(db)
    await sql`select '[1,2]'::vector`.execute(db)
  } finally {
    await close()
    await drop()
  }
})

/** A server that speaks PostgreSQL up to the encryption, with this certificate or without encryption. */
async function startServer(certificate?: { key: Buffer; cert: Buffer }): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => {
      socket.write(certificate ? 'S' : 'N')
      if (certificate) new TLSSocket(socket, { isServer: true, ...certificate }).on('error', () => {})
    })
  })
  server.listen(0, '127.0.0.1').unref()
  await once(server, 'listening')
  return `postgres://ada:secret@127.0.0.1:${(server.address() as AddressInfo).port}/deals`
}

async function startWith(databaseUrl: string): Promise<string> {
  const { db, close } = await openDatabase({ databaseUrl, dataFolder: '' })
  try {
    await migrateWhenReachable(db, migrations, pino({ level: 'silent' }))
    assert.fail('It started.')
  } catch (error) {
    return explainStartupError(error as Error) ?? String(error)
  } finally {
    await close()
  }
}

test('a connection that cannot be encrypted as asked ends the start at once with one sentence', async () => {
  const message = await startWith(`${await startServer()}?sslmode=require`)
  assert.match(
    message,
    /^DATABASE_URL: the connection .* cannot be encrypted as asked: .* does not support SSL [^\n]+\.$/,
  )
  assert.doesNotMatch(message, /secret/)
})

test('a certificate of an unknown authority ends the start at once, and sslrootcert accepts it', {
  skip: !existsSync('/usr/bin/openssl') && 'needs /usr/bin/openssl',
}, async () => {
  const [key, cert] = ['key', 'cert'].map((name) => path.join(folder, `${name}.pem`)) as [string, string]
  const request = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=127.0.0.1', '-days', '2']
  const names = ['-addext', 'subjectAltName=IP:127.0.0.1']
  execFileSync('openssl', ['req', ...request, ...names, '-keyout', key, '-out', cert], { stdio: 'ignore' })
  const address = await startServer({ key: await readFile(key), cert: await readFile(cert) })
  for (const mode of ['require', 'verify-full'])
    assert.match(
      await startWith(`${address}?sslmode=${mode}`),
      /^DATABASE_URL: .* cannot be encrypted as asked: self-signed certificate\. .*sslrootcert=[^\n]+\.$/,
    )
  const { db, close } = await openDatabase({
    databaseUrl: `${address}?sslmode=verify-full&sslrootcert=${cert}`,
    dataFolder: '',
    databaseTimeouts: DATABASE_TIMEOUTS,
  })
  const failure = await Promise.race([
    sql`select 1`.execute(db).catch((error) => error),
    setTimeout(1000, 'It connects and waits for the server.', { ref: false }),
  ])
  assert.equal(failure, 'It connects and waits for the server.')
  await close()
})

/** Overwrites files of a data folder with rubbish of the same size. */
async function damage(dataFolder: string, pattern: string): Promise<void> {
  const files = globSync(path.join(dataFolder, pattern))
  assert.notEqual(files.length, 0, pattern)
  for (const file of files) {
    const { size } = await stat(file)
    await writeFile(file, Buffer.alloc(size, 'rubbish'))
  }
}

const embeddedOnly = { skip: testServer && 'embedded only' }

test('damaged files of the embedded database end the start with one sentence', embeddedOnly, async () => {
  for (const [name, pattern] of Object.entries({
    control: 'database/global/pg_control',
    version: 'database/PG_VERSION',
    tables: 'database/base/*/[0-9]*',
    log: 'database/pg_wal/0*',
  })) {
    const dataFolder = path.join(folder, name)
    await prepareDataFolder(dataFolder)
    await damage(dataFolder, pattern)
    const error = await openDatabase({ databaseUrl: undefined, dataFolder }).then(
      () => assert.fail(`It opened: ${name}`),
      (reason) => reason,
    )
    assert.match(
      explainStartupError(error) ?? '',
      /^DATA_DIR: The database in \S+ is damaged and cannot be opened \([^\n]+\)\. Restore it from a backup, or use another DATA_DIR\.$/,
      name,
    )
  }
})

test('a service on a damaged data folder exits', embeddedOnly, async () => {
  const DATA_DIR = path.join(folder, 'service')
  await prepareDataFolder(DATA_DIR)
  await damage(DATA_DIR, 'database/pg_wal/0*')
  const start = async () => {
    const { child, log } = launch('main.ts', folder, { PORT: String(await freePort()), DATA_DIR })
    assert.equal(await ended(child), 1)
    return log()
  }
  assert.match(await start(), /^DATA_DIR: The database in [^\n]+\.\n$/)
  await writeFile(path.join(DATA_DIR, 'lock.sqlite'), 'rubbish'.repeat(1000))
  assert.match(await start(), /^DATA_DIR: The lock file \S+ is damaged\. Delete it and start again\.\n$/)
})
