import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { withLockIfFree } from '#src/platform/database/advisory-locks.ts'
import type { Db } from '#src/platform/database/database.ts'
import type { StoredModel } from './stored-model.ts'

/** Up to so many numbers pgvector indexes in full precision, beyond it in half. */
const MAX_FULL_PRECISION_DIMENSIONS = 2000

const elementType = (length: number) => (length <= MAX_FULL_PRECISION_DIMENSIONS ? 'vector' : 'halfvec')

/** The type of vectors of this length, as they are compared. */
export const comparedType = (length: number) => sql.raw(`${elementType(length)}(${length})`)

/** A row's vector as it is indexed; a query has to name it in the same words. */
export const indexedVector = (length: number) => sql`(vector::${comparedType(length)})`

/** The rows of a model; as a literal, so that the planner knows them for those of the model's index. */
export const ofModel = ({ key }: Pick<StoredModel, 'key'>) => sql`model = ${sql.lit(key)}`

const indexName = (key: string) =>
  `embeddings_of_${createHash('sha256').update(key).digest('hex').slice(0, 16)}`

/**
 * Creates the model's index, or makes one anew that was cut short, without keeping anybody from writing. Before the first
 * vector is stored this takes no time, and each vector that comes is added to it.
 */
export async function createVectorIndex(db: Db, { key, length }: StoredModel): Promise<void> {
  if (length === null) return
  const name = indexName(key)
  if (await isIndexValid(db, name)) return
  await db.connection().execute((connection) =>
    withLockIfFree(connection, 'build vector index', async () => {
      if (await isIndexValid(connection, name)) return
      await sql`drop index concurrently if exists ${sql.id(name)}`.execute(connection)
      // Several workers would share their memory through /dev/shm, of which a container has 64 MB.
      await sql`set max_parallel_maintenance_workers = 0`.execute(connection)
      await sql`set maintenance_work_mem = '512MB'`.execute(connection)
      try {
        await sql`
          create index concurrently ${sql.id(name)} on embeddings
          using hnsw (${indexedVector(length)} ${sql.raw(`${elementType(length)}_cosine_ops`)})
          where ${ofModel({ key })}`.execute(connection)
      } finally {
        await sql`reset maintenance_work_mem`.execute(connection)
        await sql`reset max_parallel_maintenance_workers`.execute(connection)
      }
    }),
  )
}

/** Removes the index of a model that has been given up. */
export async function dropVectorIndex(db: Db, { key }: StoredModel): Promise<void> {
  await db.connection().execute((connection) =>
    withLockIfFree(connection, 'build vector index', async () => {
      const { rows } = await sql`
        select from embedding_models where key = ${key} and state = 'former'`.execute(connection)
      if (rows.length > 0)
        await sql`drop index concurrently if exists ${sql.id(indexName(key))}`.execute(connection)
    }),
  )
}

async function isIndexValid(db: Db, name: string): Promise<boolean> {
  const { rows } = await sql<{ valid: boolean }>`
    select indisvalid as valid from pg_index where indexrelid = to_regclass(${name})`.execute(db)
  return rows[0]?.valid ?? false
}
