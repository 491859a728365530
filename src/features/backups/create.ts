import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { Transform, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import { knownObjects } from '#src/features/files/index.ts'
import type { Config } from '#src/platform/config/config.ts'
import type { Db } from '#src/platform/database/database.ts'
import { executedMigrations } from '#src/platform/database/migrations.ts'
import { hasSingleConnection } from '#src/platform/database/pinned-connection.ts'
import { allowIdleness } from '#src/platform/database/session.ts'
import { utcText } from '#src/platform/database/sql.ts'
import type { Objects } from '#src/platform/objects/objects.ts'
import { FreeSpace } from '#src/platform/process/free-space.ts'
import { makePrivateFolder } from '#src/platform/process/private-folder.ts'
import { version } from '#src/platform/process/version.ts'
import { ArchiveWriter } from './archive-writer.ts'
import { addFiles } from './files.ts'
import { FORMAT, type Manifest, PRODUCT, tablePart } from './manifest.ts'
import { readRows, readSchema } from './snapshot.ts'

/** What a backup contains. */
export interface BackupSource {
  /** Without time limits. */
  db: Db
  objects: Objects
  /** Settings without secrets, by name. */
  settings: Record<string, string>
}

/** Where the file of a backup is made. */
export interface Workplace {
  folder: string
  disk: FreeSpace
}

/** The place in the data folder, whose disk must not become full. */
export const workplaceOf = ({ dataFolder, freeSpace: limits }: Config): Workplace => ({
  folder: path.join(dataFolder, 'uploads'),
  disk: new FreeSpace('DATA_DIR', dataFolder, { limits }),
})

/**
 * Writes a backup of the database, in one snapshot, and of the stored files. In an embedded database, all other requests wait
 * until the database has been read.
 * @param passphrase encrypts the backup; undefined: it is not encrypted
 * @throws the error of the database, the object storage, or the output, which is destroyed
 */
export async function createBackup(
  { db, objects, settings }: BackupSource,
  output: Writable,
  passphrase?: string,
): Promise<Manifest> {
  const archive = new ArchiveWriter(output, passphrase)
  const rows: Record<string, number> = {}
  let known: Set<string> | undefined
  const start = performance.now()
  try {
    await db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (snapshot) => {
        await allowIdleness(snapshot)
        const now = await readNow(snapshot)
        const schema = await readSchema(snapshot)
        // A database that is upgraded later may not have uploads yet.
        if (schema.tables.some(({ name }) => name === 'pending_uploads')) known = await knownObjects(snapshot)
        await archive.start({
          ...{ product: PRODUCT, format: FORMAT, version },
          migrations: [...(await executedMigrations(snapshot))].sort(),
          created_at: now,
          database: hasSingleConnection(db) ? 'embedded' : 'postgresql',
          ...{ settings, schema },
        })
        for (const table of schema.tables) {
          let parts = 0
          rows[table.name] = 0
          for await (const part of readRows(snapshot, table)) {
            await archive.add(tablePart(table.name, ++parts), Buffer.from(part.json))
            rows[table.name] = (rows[table.name] as number) + part.rows
          }
        }
      })
    const seconds = Math.round((performance.now() - start) / 100) / 10
    const files = await addFiles(archive, objects, known)
    return await archive.finish({ rows, files, seconds })
  } catch (error) {
    archive.abort(error as Error)
    throw error
  }
}

/**
 * Makes a backup in a file, which is removed once the work with it has ended. A reader that is slow does not keep the snapshot
 * open.
 * @throws Unavailable if the disk is nearly full; the error of the database, the object storage, the disk, or the work
 */
export async function withBackupFile<T>(
  source: BackupSource,
  { folder, disk }: Workplace,
  passphrase: string | undefined,
  work: (file: string, manifest: Manifest) => Promise<T>,
): Promise<T> {
  makePrivateFolder(folder)
  const file = path.join(folder, `${randomUUID()}.backup`)
  try {
    const output = withinSpace(disk)
    const written = pipeline(output, createWriteStream(file, { mode: 0o600 }))
    const [made, saved] = await Promise.allSettled([createBackup(source, output, passphrase), written])
    // Why the file could not be written says more than that the backup was cut off.
    if (saved.status === 'rejected' && !isPrematureClose(saved.reason)) throw saved.reason
    if (made.status === 'rejected') throw made.reason
    const manifest = made.value
    return await work(file, manifest)
  } finally {
    await rm(file, { force: true })
  }
}

/** Passes on what the disk has space for. */
const withinSpace = (disk: FreeSpace): Transform =>
  new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      try {
        disk.take(chunk.length)
        done(null, chunk)
      } catch (error) {
        done(error as Error)
      }
    },
  })

const isPrematureClose = ({ code }: NodeJS.ErrnoException) => code === 'ERR_STREAM_PREMATURE_CLOSE'

async function readNow(db: Db): Promise<string> {
  const { rows } = await sql<{ now: string }>`select ${utcText(sql`clock_timestamp()`)} as now`.execute(db)
  return (rows[0] as { now: string }).now
}
