import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { sql } from 'kysely'
import { pino } from 'pino'
import { migrations } from '#src/migrations/migrations.ts'
import type { Database } from '#src/platform/database/database.ts'
import { migrate } from '#src/platform/database/migrate.ts'
import { openDatabase } from '#src/platform/database/open.ts'
import { openQueues } from '#src/platform/queue.ts'
import { cachedFolder, hashOfFiles } from './cache.ts'

/** The files that determine an empty database with the current schema. */
const SOURCES = [
  'src/migrations/*.ts',
  'src/platform/{queue,database/{migrate,migrations,newer-schema,database,advisory-locks}}.ts',
  'src/testing/template.ts',
  'node_modules/{@electric-sql/pglite,@electric-sql/pglite-pgvector,kysely,pg-boss}/package.json',
]
const ARCHIVE = 'database.tar'

/** A hash that changes with the schema. */
export const schemaHash = () => hashOfFiles(SOURCES)

/**
 * Creates all tables. Those of the queues take a second, and pgvector has hundreds of functions: a service creates them when
 * it first needs them.
 */
export async function createTables({ db, source }: Database): Promise<void> {
  await migrate(db, migrations)
  const { rows } = await sql`select from pg_available_extensions where name = 'vector'`.execute(db)
  if (rows.length > 0) await sql`create extension vector`.execute(db)
  const queues = openQueues(source, pino({ level: 'silent' }))
  await queues.createTables().finally(queues.stop)
}

/** A data folder with an empty embedded database that has the current schema, and an archive of that database. */
function embeddedTemplate(): Promise<string> {
  return cachedFolder(`embedded-${schemaHash()}`, async (folder) => {
    const database = await openDatabase({ databaseUrl: undefined, dataFolder: folder })
    try {
      await createTables(database)
      if (!('pglite' in database.source)) return
      await shrink(database.source.pglite)
      const archive = await database.source.pglite.dumpDataDir('none')
      await writeFile(path.join(folder, ARCHIVE), new Uint8Array(await archive.arrayBuffer()))
    } finally {
      await database.close()
    }
  })
}

/**
 * Makes a database open faster: with smaller shared buffers, because PGlite would fill the default 128 MB with zeros
 * each time, and without the unused databases, which are two thirds of its files. The timer for the progress of a start
 * would never end, and keep a process alive.
 */
async function shrink(pglite: PGlite): Promise<void> {
  await pglite.exec("alter system set shared_buffers = '16MB'")
  await pglite.exec('alter system set log_startup_progress_interval = 0')
  await pglite.exec('update pg_database set datistemplate = false where datname <> current_database()')
  for (const name of ['template0', 'template1']) await pglite.exec(`drop database ${name}`)
  await pglite.exec('checkpoint')
}

/** Returns the same buffer each time. A plain Blob would copy the 40 MB for each database. */
class SharedBlob extends Blob {
  readonly #buffer: ArrayBuffer

  constructor(buffer: ArrayBuffer) {
    super()
    this.#buffer = buffer
  }

  override async arrayBuffer(): Promise<ArrayBuffer> {
    return this.#buffer
  }
}

let archive: Promise<Blob> | undefined

/** The archive, to open in memory. Opening it takes a tenth of the time of creating the database. */
export function embeddedArchive(): Promise<Blob> {
  archive ??= embeddedTemplate().then(async (folder) => {
    const { buffer, byteOffset, byteLength } = await readFile(path.join(folder, ARCHIVE))
    return new SharedBlob(buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer)
  })
  return archive
}

/** The folder of the template database, for copying. */
export const embeddedFolder = async (): Promise<string> => path.join(await embeddedTemplate(), 'database')
