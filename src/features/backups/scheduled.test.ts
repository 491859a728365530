import assert from 'node:assert/strict'
import { createReadStream } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { readArchive } from './archive.ts'
import type { BackupTarget } from './backup-target.ts'
import { workplaceOf } from './create.ts'
import { makeDueBackup, readBackupStatus, type ScheduledBackups } from './scheduled.ts'
import { openTarget } from './target.ts'

const DAY_MS = 86_400_000
const CONNECTION = { endpoint: undefined, region: '', credentials: undefined, forcePathStyle: true }

let api: TestApp
let folder: string
let backups: ScheduledBackups
before(async () => {
  api = await testApp({ LOG_LEVEL: 'silent' })
  folder = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-scheduled-'))
  await api.call('POST', '/api/companies', { name: 'Loomworks' })
  const { backgroundDb: db, log, objects } = api.context
  backups = {
    ...{ source: { db, objects, settings: {} }, target: await targetIn('target'), minutes: 180 },
    ...{ timeZone: 'UTC', passphrase: undefined, workplace: workplaceOf(api.config), log },
  }
})
after(async () => {
  await api.close()
  await rm(folder, { recursive: true, force: true })
})

const targetIn = (name: string) => openTarget(path.join(folder, name), CONNECTION)
const empty = () => sql`delete from backup_runs`.execute(backups.source.db)
const runs = async () => (await api.call('GET', '/api/backups')).body.data

test('each day one of several processes makes a backup, which can be restored', async () => {
  const now = Date.parse('2026-03-02T09:00:00Z')
  const made = await Promise.all([1, 2, 3].map(() => makeDueBackup(backups, now)))
  assert.deepEqual(made.filter(Boolean), ['deal-pipeline-2026-03-02T0300Z.backup'])
  assert.equal(await makeDueBackup(backups, now + 60_000), undefined)
  assert.ok(await makeDueBackup(backups, now + DAY_MS))
  const files = await readdir(path.join(folder, 'target'))
  assert.equal(files.length, 2)
  const { manifest } = await readArchive(
    createReadStream(path.join(folder, 'target', files[0] as string)),
    undefined,
  )
  assert.equal(manifest.rows.companies, 1)
  const [latest] = await runs()
  assert.equal(latest.state, 'completed')
  assert.ok(latest.bytes > 1000 && latest.rows > 5)
  assert.deepEqual(await readdir(path.join(api.config.dataFolder, 'uploads')), [])
  await empty()
})

test('a failure is reported and tried again, and leaves no file', async () => {
  await writeFile(path.join(folder, 'blocked'), 'a file, not a folder')
  const blocked = { ...backups, target: await targetIn('blocked') }
  const now = Date.parse('2026-03-05T09:00:00Z')
  assert.equal(await makeDueBackup(blocked, now), undefined)
  const [failed] = await runs()
  assert.equal(failed.state, 'failed')
  assert.match(failed.error, /EEXIST|ENOTDIR/)
  assert.deepEqual(await readdir(path.join(api.config.dataFolder, 'uploads')), [])
  assert.equal(await makeDueBackup(backups, now), undefined, 'before the pause is over')
  await sql`update backup_runs set claimed_until = now() - interval '1 second'`.execute(backups.source.db)
  assert.ok(await makeDueBackup(backups, now))
  assert.equal((await runs())[0].error, null)
  await empty()
})

test('another process takes over from one that was killed', async () => {
  const now = Date.parse('2026-03-06T09:00:00Z')
  await sql`
    insert into backup_runs (due_at, state, started_at, claimed_until)
    values ('2026-03-06T03:00:00Z', 'running', now(), now() + interval '1 minute')`.execute(backups.source.db)
  assert.equal(await makeDueBackup(backups, now), undefined)
  await sql`update backup_runs set claimed_until = now() - interval '1 second'`.execute(backups.source.db)
  assert.ok(await makeDueBackup(backups, now))
  await empty()
})

test('late backups are a warning that says why', async () => {
  const { db } = backups.source
  const now = Date.parse('2026-03-07T09:00:00Z')
  assert.equal((await readBackupStatus(db, now)).warning, undefined)
  const target: BackupTarget = {
    ...backups.target,
    put: async () => Promise.reject(new Error('The bucket is full.')),
  }
  await makeDueBackup({ ...backups, target }, now)
  assert.equal((await readBackupStatus(db, now)).warning, undefined)
  assert.equal(
    (await readBackupStatus(db, now + 1.5 * DAY_MS)).warning,
    'Backups are late. There is no backup yet. The last attempt failed.',
  )
  await sql`update backup_runs set claimed_until = now() - interval '1 second'`.execute(db)
  await makeDueBackup(backups, now)
  assert.equal((await readBackupStatus(db, now + 1.5 * DAY_MS)).warning, undefined)
  assert.match(
    (await readBackupStatus(db, now + 3 * DAY_MS)).warning ?? '',
    /^Backups are late\. The last backup is of /,
  )
  await empty()
})

test('a new database does not replace the backup of another one', async () => {
  const now = Date.parse('2026-03-09T09:00:00Z')
  const target = await targetIn('shared')
  assert.ok(await makeDueBackup({ ...backups, target }, now))
  const file = path.join(folder, 'shared', 'deal-pipeline-2026-03-09T0300Z.backup')
  const before = await readFile(file)
  await empty()
  assert.equal(await makeDueBackup({ ...backups, target }, now), undefined)
  assert.deepEqual(await readFile(file), before)
  assert.match((await runs())[0].error, /exists already: another database made it/)
  await empty()
})
