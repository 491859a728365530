import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import type { StoredModel } from './stored-model.ts'

const DROP_BATCH_SIZE = 2000

/** Whether a company has a deal or a thesis. */
export const isPreferred = (id: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`(exists (select from dealflow where company_id = ${id})
    or exists (select from companies preferred where preferred.id = ${id} and thesis_id is not null))`

/** Whether the model has at least `max` vectors. */
export async function isFull(db: Db, { key }: StoredModel, max: number): Promise<boolean> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::float8 as n from (select from embeddings where model = ${key} limit ${max}) counted`.execute(
    db,
  )
  return (rows[0]?.n ?? 0) >= max
}

/**
 * Removes from the queue of a full model what would come after all documents that have a vector. Companies with a deal
 * or a thesis come first, then the newest. Ids are in the order of creation.
 */
export async function dropBeyondLimit(db: Db, { key }: StoredModel): Promise<void> {
  const { rows } = await sql<{ id: string; preferred: boolean }>`
    select id, ${isPreferred(sql`embeddings.id`)} as preferred from embeddings where model = ${key}
    order by preferred, id limit 1`.execute(db)
  const [last] = rows
  if (!last) return
  for (;;) {
    const { numAffectedRows } = await sql`
      delete from embeddings_due where model = ${key} and id in (
        select id from embeddings_due where model = ${key} and reason is null
          and (${isPreferred(sql`embeddings_due.id`)}, id) < (${last.preferred}, ${last.id})
          and not exists (select from embeddings where model = ${key} and embeddings.id = embeddings_due.id)
        limit ${DROP_BATCH_SIZE} for update skip locked)`.execute(db)
    if (Number(numAffectedRows ?? 0) < DROP_BATCH_SIZE) return
  }
}

/** Removes the vectors beyond the limit: first of the oldest companies without a deal or a thesis. */
export async function trimToLimit(db: Db, { key }: StoredModel, max: number): Promise<void> {
  await sql`
    delete from embeddings where model = ${key} and id in (
      select id from embeddings where model = ${key} order by ${isPreferred(sql`embeddings.id`)}, id
      limit greatest(0, (select count(*) from embeddings where model = ${key}) - ${max}))`.execute(db)
}
