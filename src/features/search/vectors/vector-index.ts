import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { withLockIfFree } from '#src/platform/database/advisory-locks.ts'
import { cancelable } from '#src/platform/database/cancel.ts'
import type { Db } from '#src/platform/database/database.ts'
import type { StoredModel } from './stored-model.ts'

/** pgvector indexes up to this many dimensions in full precision, and more in half precision. */
const MAX_FULL_PRECISION_DIMENSIONS = 2000

const elementType = (length: number) => (length <= MAX_FULL_PRECISION_DIMENSIONS ? 'vector' : 'halfvec')

/** The type that vectors of this length are compared as. */
export const comparedType = (length: number) => sql.raw(`${elementType(length)}(${length})`)

/** The indexed expression. A query must use the same one. */
export const indexedVector = (length: number) => sql`(vector::${comparedType(length)})`

/** The rows of a model. The key is a literal, so that the planner can match the model's partial index. */
export const ofModel = ({ key }: Pick<StoredModel, 'key'>) => sql`model = ${sql.lit(key)}`

const indexName = (key: string) =>
  `embeddings_of_${createHash('sha256').update(key).digest('hex').slice(0, 16)}`

/**
 * Creates the model's index without blocking writes, and rebuilds an index whose creation was interrupted. Call it before
 * the first vector is stored, when the table is still empty.
 * @param stopped cancels the statement that runs
 */
export async function createVectorIndex(
  db: Db,
  { key, length }: StoredModel,
  stopped?: AbortSignal,
): Promise<void> {
  if (length === null) return
  const name = indexName(key)
  if (await isIndexValid(db, name)) return
  await withLockIfFree(db, 'build vector index', async (connection) => {
    if (await isIndexValid(connection, name)) return
    const building = stopped ? cancelable(connection, stopped) : connection
    await sql`drop index concurrently if exists ${sql.id(name)}`.execute(building)
    // Parallel workers share memory through /dev/shm, which is limited to 64 MB in a container.
    await sql`set max_parallel_maintenance_workers = 0`.execute(connection)
    await sql`set maintenance_work_mem = '512MB'`.execute(connection)
    try {
      await sql`
          create index concurrently ${sql.id(name)} on embeddings
          using hnsw (${indexedVector(length)} ${sql.raw(`${elementType(length)}_cosine_ops`)})
          where ${ofModel({ key })}`.execute(building)
    } finally {
      await sql`reset maintenance_work_mem`.execute(connection)
      await sql`reset max_parallel_maintenance_workers`.execute(connection)
    }
  })
}

/** Removes the index of a previous model. */
export async function dropVectorIndex(db: Db, { key }: StoredModel): Promise<void> {
  await withLockIfFree(db, 'build vector index', async (connection) => {
    const { rows } = await sql`
        select from embedding_models where key = ${key} and state = 'former'`.execute(connection)
    if (rows.length > 0)
      await sql`drop index concurrently if exists ${sql.id(indexName(key))}`.execute(connection)
  })
}

async function isIndexValid(db: Db, name: string): Promise<boolean> {
  const { rows } = await sql<{ valid: boolean }>`
    select indisvalid as valid from pg_index where indexrelid = to_regclass(${name})`.execute(db)
  return rows[0]?.valid ?? false
}
