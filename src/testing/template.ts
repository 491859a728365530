import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { migrations } from '#src/migrations/migrations.ts'
import { migrate } from '#src/platform/database/migrate.ts'
import { openDatabase } from '#src/platform/database/open.ts'
import { cachedFolder, hashOfFiles } from './cache.ts'

/** What decides how an empty database with the current schema looks. */
const SOURCES = [
  'src/migrations/*.ts',
  'src/platform/database/{migrate,database,advisory-locks}.ts',
  'src/testing/template.ts',
  'node_modules/{@electric-sql/pglite,@electric-sql/pglite-pgvector,kysely}/package.json',
]
const ARCHIVE = 'database.tar'

/** Changes with the schema. */
export const schemaHash = () => hashOfFiles(SOURCES)

/** A data folder whose embedded database is empty and has the current schema, and an archive of that database. */
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

/** Its copies have less memory for buffers than the 128 MB that each would fill with zeros when it is opened. */
async function archiveOf(pglite: PGlite): Promise<Uint8Array> {
  await pglite.exec("alter system set shared_buffers = '16MB'")
  await pglite.exec('checkpoint')
  const file = await pglite.dumpDataDir('none')
  await pglite.exec('alter system reset shared_buffers')
  return new Uint8Array(await file.arrayBuffer())
}

let archive: Promise<Blob> | undefined

/** The archive, to open in memory. Opening it takes a tenth of the time in which the database is made. */
export function embeddedArchive(): Promise<Blob> {
  archive ??= embeddedTemplate().then(
    async (folder) => new Blob([await readFile(path.join(folder, ARCHIVE))]),
  )
  return archive
}

/** The folder of the database, to copy. */
export const embeddedFolder = async (): Promise<string> => path.join(await embeddedTemplate(), 'database')
