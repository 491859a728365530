import { cp, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { createPostgres, testServer } from '#src/testing/database.ts'
import { createDatabase } from '#src/testing/postgres.ts'

/** Where a service keeps its data: a folder, and a database on PostgreSQL if tests run on it. */
export interface Place {
  settings: { DATA_DIR: string; DATABASE_URL: string | undefined }
  /** Copies the data. No service may use it. */
  copy(): Promise<Place>
  remove(): Promise<void>
}

/** A place without data. */
export async function emptyPlace(): Promise<Place> {
  return placeAt(await newFolder(), testServer ? await createPostgres(testServer) : undefined)
}

function placeAt(folder: string, database: { url: string; drop(): Promise<void> } | undefined): Place {
  return {
    settings: { DATA_DIR: folder, DATABASE_URL: database?.url },
    copy: async () => {
      const other = await newFolder()
      await cp(folder, other, { recursive: true })
      if (!testServer || !database) return placeAt(other, undefined)
      return placeAt(other, await createDatabase(testServer, new URL(database.url).pathname.slice(1)))
    },
    remove: async () => {
      await database?.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function newFolder(): Promise<string> {
  return mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-old-'))
}
