import { existsSync } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as NodeReadableStream } from 'node:stream/web'
import type { Client } from '#src/client/client.ts'
import {
  BackupRefused,
  createBackup,
  encrypted,
  filesIn,
  type Manifest,
  openArchive,
  type RestoreDisks,
  readArchive,
  restoreBackup,
  rowsIn,
} from '#src/features/backups/index.ts'
import { migrations } from '#src/migrations/migrations.ts'
import type { Config } from '#src/platform/config/config.ts'
import { DataFolderInUse } from '#src/platform/database/data-folder.ts'
import type { Database } from '#src/platform/database/database.ts'
import { DiskFull, requireSpaceForNew } from '#src/platform/database/full-disk.ts'
import { openDatabase, openNewEmbedded } from '#src/platform/database/open.ts'
import { Unavailable } from '#src/platform/errors.ts'
import { objectsFolder, openObjects } from '#src/platform/objects/open-objects.ts'
import { FreeSpace } from '#src/platform/process/free-space.ts'
import { createLogger } from '#src/platform/process/logging.ts'
import { makePrivateFolder } from '#src/platform/process/private-folder.ts'
import { openQueues } from '#src/platform/queue.ts'
import { InputError } from './input-error.ts'
import { explainOpening } from './open-database.ts'
import { readConfig } from './read-config.ts'

/** An object that need not exist. */
const PROBE_KEY = 'probe'

/**
 * `backup`: writes a backup to a file, or to standard output.
 * Returns the exit status.
 * @param asksService whether the service makes it, whatever database is here
 * @throws InputError if it cannot be made, or the file exists
 */
export async function backupCommand(client: Client, file: string, asksService: boolean): Promise<number> {
  const config = readConfig()
  const write = (output: Writable) => writeBackup(config, client, asksService, output)
  if (file === '-') await write(process.stdout)
  else await backUpTo(config, file, write)
  return 0
}

/**
 * Writes a backup to a file, which only appears once it is complete and has been checked.
 * @param write returns whether the service has made it
 * @throws InputError if it cannot be made, or the file exists
 */
export async function backUpTo(
  config: Config,
  file: string,
  write: (output: Writable) => Promise<boolean>,
): Promise<void> {
  if (existsSync(file))
    throw new InputError(`${file} exists already. Choose another name, or remove it first.`)
  const folder = path.dirname(path.resolve(file))
  if (!existsSync(folder)) throw new InputError(`The folder ${folder} does not exist. Create it first.`)
  const partFile = `${file}.unfinished`
  try {
    // Opened before the database is read: the folder may refuse it.
    const part = await open(partFile, 'w', 0o600)
    const byService = await write(part.createWriteStream())
    const { header, manifest } = await readArchive(openArchive(partFile), config.backups.passphrase)
    await rename(partFile, file)
    console.error(`Backed up ${contentOf(manifest)} to ${file} (${await megabytes(file)} MB).`)
    if (byService && header.database === 'embedded')
      console.error(`Other requests waited for ${manifest.seconds} s while the database was read.`)
  } catch (error) {
    await rm(partFile, { force: true })
    throw explained(error)
  }
}

/**
 * The embedded database belongs to the process that has it open, so the service makes the backup if it runs. So it does if
 * there is no database here.
 * @returns whether the service made it
 */
async function writeBackup(
  config: Config,
  client: Client,
  asksService: boolean,
  output: Writable,
): Promise<boolean> {
  const hasDatabase = config.databaseUrl || existsSync(path.join(config.dataFolder, 'database'))
  const database = asksService || !hasDatabase ? undefined : await openUnlessInUse(config)
  if (!database) {
    const body = Readable.fromWeb((await client.getBackup()) as NodeReadableStream)
    await pipeline(await encrypted(body, config.backups.passphrase), output)
    return true
  }
  return writeBackupOf(config, database, output).finally(() => database.close())
}

/** Writes a backup of an open database and the stored files. Returns false: no service has made it. */
export async function writeBackupOf(config: Config, database: Database, output: Writable): Promise<false> {
  const objects = await openObjects(config, undefined, PROBE_KEY)
  const source = { db: database.background, objects, settings: config.shownSettings }
  await createBackup(source, output, config.backups.passphrase)
  return false
}

const openUnlessInUse = (config: Config): Promise<Database | undefined> =>
  openDatabase(config).catch((error) => {
    if (error instanceof DataFolderInUse) return undefined
    return explainOpening(error)
  })

/** `backup verify`: checks a backup. Returns the exit status: 0 if it can be restored, else 1. */
export async function verifyBackupCommand(file: string): Promise<number> {
  requireFile(file)
  const { passphrase } = readConfig().backups
  try {
    const { header, manifest } = await readArchive(openArchive(file), passphrase)
    console.log(`The backup is whole: ${contentOf(manifest)}.`)
    console.log(`Made at ${header.created_at} by version ${header.version}.`)
    return 0
  } catch (error) {
    throw explained(error)
  }
}

/** `restore`: restores a backup into an empty database and empty storage. Returns the exit status. */
export async function restoreCommand(file: string): Promise<number> {
  requireFile(file)
  const config = readConfig()
  const disks = disksOf(config)
  const database = await openEmpty(config, disks.database).catch((error) => Promise.reject(explained(error)))
  try {
    const queues = openQueues(database.source, await createLogger({ logLevel: 'fatal' }))
    const objects = await openObjects(config, disks.files, PROBE_KEY)
    const restored = await restoreBackup(
      {
        ...{ db: database.background, objects, folder: path.join(config.dataFolder, 'uploads') },
        ...{ disks, migrations, createQueues: queues.createTables },
      },
      () => openArchive(file),
      config.backups.passphrase,
    ).finally(() => queues.stop())
    await database.publish()
    const { header, manifest, leftOut } = restored
    console.log(`Restored ${contentOf(manifest)} as of ${header.created_at}.`)
    if (leftOut.length > 0)
      console.log(
        `Left out, because the server does not have pgvector: ${leftOut.join(', ')}. The service creates them again.`,
      )
    console.log(
      'Start the service with the same SESSION_SECRET, or everyone has to sign in again, and with the same ENCRYPTION_KEY, if it was set.',
    )
    return 0
  } catch (error) {
    throw explained(error)
  } finally {
    await database.close()
  }
}

type EmptyDatabase = Database & { publish(): Promise<void> }

function disksOf({ databaseUrl, dataFolder, freeSpace: limits, objects: { s3 } }: Config): RestoreDisks {
  makePrivateFolder(dataFolder)
  return {
    database: databaseUrl ? undefined : new FreeSpace('the database', dataFolder, { limits }),
    files: s3 ? undefined : new FreeSpace('the company files', objectsFolder(dataFolder), { limits }),
  }
}

async function openEmpty(config: Config, disk: FreeSpace | undefined): Promise<EmptyDatabase> {
  if (config.databaseUrl) {
    const database = await openDatabase(config).catch(explainOpening)
    return { ...database, publish: async () => {} }
  }
  const folder = path.join(config.dataFolder, 'database')
  if (existsSync(folder))
    throw new InputError(`There is a database in ${folder}. Restore into another DATA_DIR, or move it away.`)
  if (disk) requireSpaceForNew(disk)
  return openNewEmbedded(config.dataFolder).catch(explainOpening)
}

function requireFile(file: string): void {
  if (!existsSync(file)) throw new InputError(`There is no file ${file}.`)
}

function contentOf(manifest: Manifest): string {
  const { companies = 0, people = 0, notes = 0 } = manifest.rows
  const { uploads, others } = filesIn(manifest)
  return `${companies} companies, ${people} people, ${notes} notes (${rowsIn(manifest)} rows in all), ${uploads} versions of uploaded files, and ${others} profiles and source files of companies`
}

const megabytes = async (file: string) => ((await stat(file)).size / 1e6).toFixed(1)

/** What an operator can act on is a sentence without a stack. */
function explained(error: unknown): unknown {
  if (error instanceof BackupRefused || error instanceof Unavailable || error instanceof DiskFull)
    return new InputError(error.message, { cause: error })
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOSPC') return new InputError('The disk is full. Nothing was kept.', { cause: error })
  return code?.startsWith('E') ? new InputError(message, { cause: error }) : error
}
