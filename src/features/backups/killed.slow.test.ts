import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { openDatabase } from '#src/platform/database/open.ts'
import { runCommandLine, startCommandLine } from '#src/testing/command-line.ts'
import { createPostgres, testServer } from '#src/testing/database.ts'
import {
  type KillableService,
  killableService,
  killService,
  removeServices,
} from '#src/testing/killable-service.fixture.ts'
import { loggedRandom } from '#src/testing/random.ts'
import { ada } from '#src/testing/settings.ts'

const KILLS = Number(process.env.BACKUP_KILLS ?? 20)
const COMPANIES = 2000
const WRITERS = 20

let folder: string
let service: KillableService
let environment: Record<string, string | undefined>
before(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-backups-killed-'))
  service = await killableService({ EMBEDDINGS: 'off' })
  environment = { PATH: process.env.PATH, ...service.settings }
})
after(async () => {
  await removeServices()
  await rm(folder, { recursive: true, force: true })
})

const words = (...command: string[]) => [...command, '--as', ada]

test(`a backup beside ${WRITERS} writers is one snapshot, and a killed one leaves no file`, async (t) => {
  const random = loggedRandom(t)
  const running = await service.start()
  const rows = Array.from({ length: COMPANIES }, (_, n) => `Loom ${n},https://loom${n}.example`)
  await service.client.importCompanies({ body: `name,website\n${rows.join('\n')}\n` })
  const file = path.join(folder, 'whole.backup')
  let isOver = false
  /** Each writer creates a person, and then a note about them. */
  const write = async () => {
    const { id } = (await service.client.createPerson({ body: { name: 'Ingrid' } })).data
    await service.client.createNote({ body: { body: 'Text', about: [{ type: 'person', id }] } })
  }
  const writers = Array.from({ length: WRITERS }, async () => {
    while (!isOver)
      await write().catch(async (error) => {
        // The embedded database is read for so long, on a slow machine, that the service says to try again.
        if (error.status !== 503) throw error
        await sleep(100)
      })
  })
  try {
    let duration = 0
    for (let n = 0; n < 2; n++) {
      await rm(file, { force: true })
      const start = Date.now()
      const { status, errors } = await runCommandLine(words('backup', file), { env: environment })
      assert.equal(status, 0, errors)
      duration = Date.now() - start
    }
    for (let kill = 0; kill < KILLS; kill++) {
      const killed = path.join(folder, `killed-${kill}.backup`)
      const { child, ended } = startCommandLine(words('backup', killed), { env: environment })
      await sleep(random() * duration)
      child.kill('SIGKILL')
      await ended
      if (!existsSync(killed)) continue
      const { status, errors } = await runCommandLine(['backup', 'verify', killed], { env: environment })
      assert.equal(status, 0, errors)
    }
  } finally {
    isOver = true
    await Promise.all(writers)
  }
  await killService(running)
  const target = path.join(folder, 'beside-writers')
  const restored = await runCommandLine(['restore', file], { env: embedded(target) })
  assert.equal(restored.status, 0, restored.errors)
  const { db, close } = await openDatabase({ databaseUrl: undefined, dataFolder: target })
  const { rows: lost } = await sql`
    select from links where not exists (select from notes where notes.id = record_id)
      or not exists (select from people where people.id = target_id)`.execute(db)
  await close()
  assert.equal(lost.length, 0)
})

const embedded = (dataFolder: string) => ({ ...environment, DATABASE_URL: undefined, DATA_DIR: dataFolder })

async function killRestores(
  env: Record<string, string | undefined>,
  random: () => number,
): Promise<string[]> {
  const file = path.join(folder, 'whole.backup')
  const outcomes: string[] = []
  let duration = 6000
  for (let kill = 0; kill < KILLS; kill++) {
    const { child, ended } = startCommandLine(['restore', file], { env })
    await sleep(random() * duration)
    child.kill('SIGKILL')
    await ended
    const start = Date.now()
    const { status, errors } = await runCommandLine(['restore', file], { env })
    if (status === 0) duration = Date.now() - start
    else assert.match(errors, /The database is not empty|There is a database in/)
    outcomes.push(status === 0 ? 'empty' : 'complete')
    await empty(env)
  }
  return outcomes
}

/** Checks that the target is complete, and empties it. */
async function empty({ DATABASE_URL, DATA_DIR = '' }: Record<string, string | undefined>): Promise<void> {
  const { db, close } = await openDatabase({ databaseUrl: DATABASE_URL, dataFolder: DATA_DIR })
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from companies`.execute(db)
  assert.equal(rows[0]?.n, COMPANIES)
  if (DATABASE_URL)
    for (const statement of [
      'drop schema public cascade',
      'create schema public',
      'drop schema pgboss cascade',
    ])
      await sql.raw(statement).execute(db)
  await close()
  await rm(DATA_DIR, { recursive: true, force: true })
}

test('a restore into an embedded database is complete or can be repeated after each kill', async (t) => {
  const outcomes = await killRestores(embedded(path.join(folder, 'embedded')), loggedRandom(t))
  t.diagnostic(outcomes.join(' '))
})

test('a restore into PostgreSQL is complete or can be repeated after each kill', {
  skip: !testServer && 'PostgreSQL only',
}, async (t) => {
  const { url, drop } = await createPostgres(testServer as string)
  try {
    const env = { ...environment, DATABASE_URL: url, DATA_DIR: path.join(folder, 'postgres') }
    t.diagnostic((await killRestores(env, loggedRandom(t))).join(' '))
  } finally {
    await drop()
  }
})
