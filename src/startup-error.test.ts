import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { TLSSocket } from 'node:tls'
import { sql } from 'kysely'
import { pino } from 'pino'
import { ended, killAll, launch } from '#dev/processes.ts'
import { migrations } from './migrations/migrations.ts'
import { loadConfig } from './platform/config/config.ts'
import { migrate, migrateWhenReachable } from './platform/database/migrate.ts'
import { openDatabase } from './platform/database/open.ts'
import { explainStartupError } from './startup-error.ts'
import { freshDatabase, prepareDataFolder, testServer } from './testing/database.ts'
import { freePort } from './testing/free-port.ts'
import { slow } from './testing/slow.ts'

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
    await sql`update schema_requirements set oldest_migration = '9999_later'`.execute(db)
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

test('a service on a damaged data folder exits', { skip: slow || embeddedOnly.skip }, async () => {
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

/** Answers a client's request for TLS as PostgreSQL does, and then with this certificate if there is one. */
async function openTlsServer(certificate?: { key: string; cert: string }) {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => {
      socket.write(certificate ? 'S' : 'N')
      if (certificate) new TLSSocket(socket, { isServer: true, ...certificate }).on('error', () => {})
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

function selfSigned(): { key: string; cert: string } | undefined {
  const args =
    'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=db.example -keyout - -out -'
  try {
    const pem = execFileSync('openssl', args.split(' '), { encoding: 'utf8', stdio: 'pipe' })
    return { key: pem, cert: pem }
  } catch {
    return undefined
  }
}

const certificate = selfSigned()

for (const [title, mode, own, reason] of [
  ['a self-signed certificate', 'require', certificate, 'self-signed certificate'],
  ['a server without TLS', 'verify-full', undefined, 'The server does not support SSL connections'],
] as const)
  test(`${title} ends the start with one sentence at once`, {
    skip: !certificate && 'openssl is not installed',
  }, async () => {
    const server = await openTlsServer(own)
    const { port } = server.address() as AddressInfo
    const databaseUrl = `postgres://deals@127.0.0.1:${port}/deals?sslmode=${mode}`
    const { background, close } = await openDatabase({ databaseUrl, dataFolder: '' })
    try {
      const startedAt = Date.now()
      const error = await migrateWhenReachable(background, migrations, pino({ level: 'silent' })).then(
        () => assert.fail('It started.'),
        (reason) => reason,
      )
      const sentences = explainStartupError(error) ?? ''
      assert.ok(
        sentences.startsWith(
          `DATABASE_URL: the connection to the database cannot be encrypted as requested: ${reason}. `,
        ),
        sentences,
      )
      assert.match(sentences, /sslmode=verify-full and sslrootcert=[^\n]+\.$/)
      assert.ok(Date.now() - startedAt < 10_000)
    } finally {
      await close()
      server.close()
    }
  })

test('a missing file of a root certificate ends the start with one sentence', () => {
  const DATABASE_URL = 'postgres://deals@db.example/deals?sslmode=verify-full&sslrootcert=/nowhere/ca.pem'
  assert.throws(
    () => loadConfig({ DATABASE_URL }),
    (error: Error) => /DATABASE_URL.*sslrootcert.*\/nowhere\/ca\.pem/.test(explainStartupError(error) ?? ''),
  )
})
