import type { Readable } from 'node:stream'
import type { Db } from '#src/platform/database/database.ts'
import { migrate, migrateTo } from '#src/platform/database/migrate.ts'
import type { Migrations } from '#src/platform/database/migrations.ts'
import { inPinnedTransaction } from '#src/platform/database/pinned-connection.ts'
import { allowIdleness } from '#src/platform/database/session.ts'
import type { Objects } from '#src/platform/objects/objects.ts'
import type { FreeSpace } from '#src/platform/process/free-space.ts'
import { readArchive } from './archive.ts'
import { BackupRefused } from './backup-refused.ts'
import { FileRestorer } from './files.ts'
import { createMissingTables, finishLoading, insertRows, prepareLoading, requireNoTables } from './load.ts'
import { contentOf, type Header, type Manifest } from './manifest.ts'

/** The disks that are written to; undefined: PostgreSQL or S3 stores it elsewhere. A full one would stop PGlite forever. */
export interface RestoreDisks {
  database: FreeSpace | undefined
  files: FreeSpace | undefined
}

/** Where a backup is restored. */
export interface RestoreTarget {
  /** Without time limits. */
  db: Db
  objects: Objects
  /** For large files until they are whole. */
  folder: string
  disks: RestoreDisks
  migrations: Migrations
  /** Creates the tables of the queues. */
  createQueues(): Promise<void>
}

/** What was restored. */
export interface Restored {
  header: Header
  manifest: Manifest
  /** Tables that the target cannot hold, because it lacks the extension pgvector. */
  leftOut: string[]
}

/**
 * Restores a backup into an empty database and object storage, and upgrades it to this version. All of it is checked before
 * the first write. The database is restored in one transaction, which ends after the files have been written.
 * @param open opens the backup; called twice
 * @param passphrase undefined: it is not encrypted
 * @throws BackupRefused if the backup cannot be restored, or the target is not empty; Unavailable if a disk is nearly full
 */
export async function restoreBackup(
  { db, objects, folder, disks, migrations, createQueues }: RestoreTarget,
  open: () => Readable,
  passphrase: string | undefined,
): Promise<Restored> {
  await requireNoTables(db)
  const { header, manifest } = await readArchive(open(), passphrase, {
    header: (found) => requireKnown(found, migrations),
  })
  await requireNoOtherFiles(objects, manifest)
  requireSpace(disks, manifest)
  await createQueues()
  return inPinnedTransaction(db, async (transaction) => {
    await allowIdleness(transaction)
    await requireNoTables(transaction)
    await migrateTo(transaction, migrations, header.migrations.at(-1) as string)
    const leftOut = await createMissingTables(transaction, header.schema)
    const tables = new Map(
      header.schema.tables.filter(({ name }) => !leftOut.includes(name)).map((table) => [table.name, table]),
    )
    const constraints = await prepareLoading(transaction, [...tables.keys()])
    const files = new FileRestorer(objects, folder, disks.files)
    await readArchive(open(), passphrase, {
      rows: async (name, json) => {
        disks.database?.check()
        const table = tables.get(name)
        if (table) await insertRows(transaction, table, json.toString())
      },
      file: (key, size, content) => files.write(key, size, content),
    })
    await files.finish()
    await finishLoading(transaction, header.schema, [...tables.keys()], constraints, () =>
      disks.database?.check(),
    )
    await migrate(transaction, migrations)
    return { header, manifest, leftOut }
  })
}

/** Rows with their indexes and the write-ahead log take about twice the space of their JSON. */
function requireSpace({ database, files }: RestoreDisks, { parts }: Manifest): void {
  let rowBytes = 0
  let fileBytes = 0
  for (const { name, bytes } of parts)
    if (name.startsWith('files/')) fileBytes += bytes
    else rowBytes += bytes
  database?.require(2 * rowBytes)
  files?.require(fileBytes)
}

function requireKnown({ version, migrations: executed }: Header, known: Migrations): void {
  const unknown = executed.find((name) => !Object.hasOwn(known, name))
  if (unknown !== undefined || executed.length === 0)
    throw new BackupRefused(
      `The backup was made by version ${version}, which is newer than this one (its database has the migration ${unknown}). Restore it with that version or a newer one.`,
    )
}

/** Files of the backup itself may be there: those of a restore that was cut off. */
async function requireNoOtherFiles(objects: Objects, { parts }: Manifest): Promise<void> {
  const own = new Set(
    parts.flatMap(({ name }) => {
      const part = contentOf(name)
      return part && 'file' in part ? [part.file] : []
    }),
  )
  for await (const key of objects.list())
    if (!own.has(key))
      throw new BackupRefused(
        `The storage of files is not empty: it contains ${key}. Restore into an empty folder or bucket (DATA_DIR, S3_BUCKET).`,
      )
}
