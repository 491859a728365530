import { existsSync } from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Config } from '#src/platform/config/config.ts'
import type { FreeSpace } from '#src/platform/process/free-space.ts'
import { makePrivateFolder } from '#src/platform/process/private-folder.ts'
import { DataFolderInUse } from './data-folder.ts'
import type { Database, Db } from './database.ts'
import { openDatabase } from './open.ts'

/** The disk has too little space to open the database. */
export class DiskFull extends Error {}

const MB = 1024 * 1024
/** An empty database with its write-ahead log. */
const NEW_DATABASE_BYTES = 64 * MB
/** Crash recovery and a checkpoint may each start a new file of the write-ahead log, which has 16 MB. */
const LOG_RESERVE_BYTES = 32 * MB

/**
 * Opens the database. The embedded one is opened on a full disk too, as long as nothing has to be written for that.
 * @param freeSpace of the embedded database
 * @throws DiskFull when the embedded database needs more space
 * @throws DataFolderInUse when another process has it open
 */
export async function openDatabaseWithSpace(
  config: Pick<Config, 'databaseUrl' | 'dataFolder' | 'databaseTimeouts'>,
  freeSpace: FreeSpace | undefined,
): Promise<Database> {
  if (!freeSpace) return openDatabase(config)
  makePrivateFolder(config.dataFolder)
  if (!existsSync(path.join(config.dataFolder, 'database'))) requireSpaceForNew(freeSpace)
  const { free = Number.POSITIVE_INFINITY } = freeSpace.read()
  try {
    const database = await openDatabase(config)
    if (freeSpace.problem()) await setReadOnly(database.db, true)
    return database
  } catch (error) {
    if (free >= LOG_RESERVE_BYTES || error instanceof DataFolderInUse) throw error
    throw diskFull(freeSpace, 'the database cannot be opened', error)
  }
}

/** @throws DiskFull when there is too little space for a new embedded database */
export function requireSpaceForNew(freeSpace: FreeSpace): void {
  const { free = Number.POSITIVE_INFINITY, required } = freeSpace.read()
  if (free < required + NEW_DATABASE_BYTES)
    throw diskFull(freeSpace, `a new database needs ${megabytes(required + NEW_DATABASE_BYTES)} MB`)
}

function diskFull(freeSpace: FreeSpace, consequence: string, cause?: unknown): DiskFull {
  const { folder } = freeSpace
  const free = megabytes(freeSpace.read().free ?? 0)
  return new DiskFull(
    `The disk that holds ${folder} has only ${free} MB free; ${consequence}. Free some space and start again.`,
    { cause },
  )
}

const megabytes = (bytes: number): number => Math.floor(bytes / MB)

/**
 * Makes the embedded database read-only while its disk is nearly full: on a full disk PGlite never returns from a
 * write. This way no write reaches the disk, whichever part of the program it comes from. A checkpoint then writes what is
 * only in memory, if there is room: the database can be closed, and opened again, once the disk is full.
 * @returns checks the disk; to be called again and again
 */
export function protectFromFullDisk(db: Db, freeSpace: FreeSpace, log: Logger): () => Promise<void> {
  let isReadOnly: boolean | undefined
  let isStored = false
  return async () => {
    const problem = freeSpace.problem()
    const shouldBeReadOnly = problem !== undefined
    if (shouldBeReadOnly !== isReadOnly) {
      await setReadOnly(db, shouldBeReadOnly)
      const { folder, content } = freeSpace
      if (problem) log.error({ folder }, problem)
      else if (isReadOnly) log.info({ folder }, `The disk that holds ${content} has enough free space again.`)
      isReadOnly = shouldBeReadOnly
      isStored = false
    }
    if (isReadOnly && !isStored) isStored = await store(db, freeSpace)
  }
}

/** Writes what is only in memory. Returns whether there was room for that. */
const store = (db: Db, freeSpace: FreeSpace): Promise<boolean> =>
  db.connection().execute(async (connection) => {
    const { free = 0 } = freeSpace.read()
    if (free < LOG_RESERVE_BYTES) return false
    await sql`checkpoint`.execute(connection)
    return true
  })

const setReadOnly = (db: Db, isReadOnly: boolean): Promise<unknown> =>
  sql`set default_transaction_read_only = ${sql.raw(isReadOnly ? 'on' : 'off')}`.execute(db)
