import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { migrations } from '#src/migrations/migrations.ts'
import { migrate } from '#src/platform/database/migrate.ts'
import { openDatabase, openPglite } from '#src/platform/database/open.ts'
import { cachedFolder, hashOfFiles } from './cache.ts'

/** The files that determine an empty database with the current schema. */
const SOURCES = [
  'src/migrations/*.ts',
  'src/platform/database/{migrate,database,advisory-locks}.ts',
  'src/testing/template.ts',
  'node_modules/{@electric-sql/pglite,@electric-sql/pglite-pgvector,kysely}/package.json',
]
const ARCHIVE = 'database.tar'

/** A hash that changes with the schema. */
export const schemaHash = () => hashOfFiles(SOURCES)

/** A data folder with an empty embedded database that has the current schema, and an archive of that database. */
function embeddedTemplate(): Promise<string> {
  return cachedFolder(`embedded-${schemaHash()}`, async (folder) => {
    const { db, source, close } = await openDatabase({ databaseUrl: undefined, dataFolder: folder })
    try {
      await migrate(db, migrations)
      if ('pglite' in source) await writeFile(path.join(folder, ARCHIVE), await archiveOf(source.pglite))
    } finally {
      await close()
    }
  })
}

/**
 * A copy that opens faster: with smaller shared buffers, because PGlite would fill the default 128 MB with zeros each time,
 * and without the databases that nobody connects to, which are two thirds of its files.
 */
async function archiveOf(original: PGlite): Promise<Uint8Array> {
  const { pglite, close } = await openPglite(undefined, await original.dumpDataDir('none'))
  try {
    await pglite.exec("alter system set shared_buffers = '16MB'")
    await pglite.exec('update pg_database set datistemplate = false where datname <> current_database()')
    for (const name of ['template0', 'template1']) await pglite.exec(`drop database ${name}`)
    await pglite.exec('checkpoint')
    const file = await pglite.dumpDataDir('none')
    return new Uint8Array(await file.arrayBuffer())
  } finally {
    await close()
  }
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
