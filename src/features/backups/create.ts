import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import type { Writable } from 'node:stream'
import { sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { executedMigrations } from '#src/platform/database/migrate.ts'
import { hasSingleConnection } from '#src/platform/database/pinned-connection.ts'
import { allowIdleness } from '#src/platform/database/session.ts'
import { utcText } from '#src/platform/database/sql.ts'
import type { Objects } from '#src/platform/objects/objects.ts'
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

/**
 * Writes a backup of the database, in one snapshot, and of the company files. In an embedded database, all other requests wait
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
    const files = await addFiles(archive, objects)
    return await archive.finish({ rows, files, seconds })
  } catch (error) {
    archive.abort(error as Error)
    throw error
  }
}

/**
 * Makes a backup in a file, which is removed once the work with it has ended. A reader that is slow does not keep the snapshot
 * open.
 * @param folder for the file
 * @throws the error of the database, the object storage, the disk, or the work
 */
export async function withBackupFile<T>(
  source: BackupSource,
  folder: string,
  passphrase: string | undefined,
  work: (file: string, manifest: Manifest) => Promise<T>,
): Promise<T> {
  makePrivateFolder(folder)
  const file = path.join(folder, `${randomUUID()}.backup`)
  try {
    const manifest = await createBackup(source, createWriteStream(file, { mode: 0o600 }), passphrase)
    return await work(file, manifest)
  } finally {
    await rm(file, { force: true })
  }
}

async function readNow(db: Db): Promise<string> {
  const { rows } = await sql<{ now: string }>`select ${utcText(sql`clock_timestamp()`)} as now`.execute(db)
  return (rows[0] as { now: string }).now
}
