import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import type { StoredModel } from './stored-model.ts'

const DROP_BATCH_SIZE = 2000

/** Whether a company has a deal or a thesis. */
export const isPreferred = (id: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`(exists (select from dealflow where company_id = ${id})
    or exists (select from companies preferred where preferred.id = ${id} and thesis_id is not null))`

/** The position of a document in the order in which documents get a vector. */
interface Position {
  preferred: boolean
  id: string
}

/** Whether a company comes before a position: first those with a deal or a thesis, then the newest. Ids sort by creation. */
const comesBefore = (id: RawBuilder<unknown>, { preferred, id: other }: Position): RawBuilder<boolean> =>
  sql<boolean>`((${isPreferred(id)}, ${id}) > (${preferred}, ${other}))`

/** Whether a company has no vector of a model, and does not wait for one. */
export const isMissing = (id: RawBuilder<unknown>, model: string): RawBuilder<boolean> =>
  sql<boolean>`(not exists (select from embeddings where model = ${model} and embeddings.id = ${id})
    and not exists (select from embeddings_due where model = ${model} and embeddings_due.id = ${id}))`

const preferredCompanies = sql`(
  select company_id as id from dealflow union select id from companies where thesis_id is not null) preferred`

/**
 * The ids of companies without a vector that should get one: the first of the order, as many as the limit leaves room for.
 * If there is no room, those with a deal or a thesis that come before the last one that has a vector.
 */
export async function selectWithinLimit(
  db: Db,
  model: StoredModel,
  max: number,
): Promise<RawBuilder<unknown>> {
  const { key } = model
  const missing = sql`
    select id, true as preferred from ${preferredCompanies} where ${isMissing(sql`preferred.id`, key)}`
  const free = await countFree(db, model, max)
  if (free === 0) {
    const last = await readLast(db, model)
    return sql`select id from (${missing}) missing
      where (true, id) > (${last?.preferred ?? true}, ${last?.id ?? ''}) order by id desc limit ${max}`
  }
  return sql`
    select id from (${missing} union all (
      select id, false from companies where ${isMissing(sql`companies.id`, key)} order by id desc limit ${free})) missing
    group by id order by bool_or(preferred) desc, id desc limit ${free}`
}

/** How many vectors a model lacks that no document waits for. */
async function countFree(db: Db, { key }: StoredModel, max: number): Promise<number> {
  const { rows } = await sql<{ taken: number }>`
    select (select count(*) from (select from embeddings where model = ${key} limit ${max}) stored)::float8 + (
      select count(*) from (
        select from embeddings_due where model = ${key} and reason is null
          and not exists (select from embeddings where model = ${key} and embeddings.id = embeddings_due.id)
        limit ${max}) queued)::float8 as taken`.execute(db)
  return Math.max(0, max - (rows[0]?.taken ?? max))
}

/** Whether the model has at least `max` vectors. */
async function isFull(db: Db, { key }: StoredModel, max: number): Promise<boolean> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::float8 as n from (select from embeddings where model = ${key} limit ${max}) counted`.execute(
    db,
  )
  return (rows[0]?.n ?? 0) >= max
}

/** The last document that has a vector. */
async function readLast(db: Db, { key }: StoredModel): Promise<Position | undefined> {
  const { rows } = await sql<Position>`
    (select false as preferred, id from embeddings where model = ${key} and not ${isPreferred(sql`embeddings.id`)}
      order by id limit 1)
    union all (select true, id from embeddings where model = ${key} order by id limit 1)
    order by preferred limit 1`.execute(db)
  return rows[0]
}

/** Removes from the queue of a full model the documents that come after all documents that have a vector. */
export async function dropBeyondLimit(db: Db, model: StoredModel, max: number): Promise<void> {
  const { key } = model
  const { rows: queued } = await sql`
    select from embeddings_due where model = ${key} and reason is null limit 1`.execute(db)
  // Counting all vectors takes time.
  const last = queued.length > 0 && (await isFull(db, model, max)) ? await readLast(db, model) : undefined
  if (!last) return
  for (;;) {
    const { numAffectedRows } = await sql`
      delete from embeddings_due where model = ${key} and id in (
        select id from embeddings_due where model = ${key} and reason is null
          and not ${comesBefore(sql`embeddings_due.id`, last)}
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
