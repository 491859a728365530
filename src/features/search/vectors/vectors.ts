import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { rowsFrom } from '#src/platform/database/rows.ts'
import { all } from '#src/platform/database/sql.ts'
import { inclusions, rowsInScope, type SearchScope } from '../pgvector.ts'
import type { ActiveModel, StoredModel } from './stored-model.ts'
import { comparedType, indexedVector, ofModel } from './vector-index.ts'

export interface StoredVector {
  id: string
  text_hash: string
  vector: number[]
}

export interface Neighbor {
  id: string
  /** The cosine of the angle between the vectors, from 0 to 1. */
  similarity: number
}

/** The number of candidates that the index keeps during a search. pgvector's default, 40, misses some neighbors. */
const EF_SEARCH = 100
/** The index visits at most this many vectors for a filter. Equal for all pages, so that they are consistent. */
const MAX_SCAN_TUPLES = 70_000
/** Up to this many vectors are compared one by one, because the index misses vectors in a small graph. */
const EXACT_SEARCH_MAX_VECTORS = 3000

const VECTOR_COLUMNS = { id: 'text', text_hash: 'text', vector: 'text' } as const

/** Stores vectors, which must have the model's length. Replaces earlier vectors of the same documents. */
export async function storeVectors(
  transaction: Db,
  { key }: StoredModel,
  vectors: StoredVector[],
): Promise<void> {
  if (vectors.length === 0) return
  const rows = vectors.map(({ vector, ...document }) => ({ ...document, vector: JSON.stringify(vector) }))
  await sql`
    insert into embeddings (model, id, dimensions, text_hash, vector)
    select ${key}, id, vector_dims(vector::vector), text_hash, vector::vector
    from ${rowsFrom('given', VECTOR_COLUMNS, rows)}
    on conflict (model, id) do update
      set dimensions = excluded.dimensions, text_hash = excluded.text_hash, vector = excluded.vector`.execute(
    transaction,
  )
}

/** The vector of a document, in pgvector's text format. */
export async function readVector(db: Db, { key }: StoredModel, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ vector: string }>`
    select vector::text from embeddings where model = ${key} and id = ${id}`.execute(db)
  return rows[0]?.vector
}

/** The vectors of documents by id, in pgvector's text format. */
export async function readVectors(db: Db, { key }: StoredModel, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; vector: string }>`
    select id, vector::text from embeddings where model = ${key} and id = any(${ids})`.execute(db)
  return new Map(rows.map(({ id, vector }) => [id, vector]))
}

/** The number of documents in scope that have a vector, counted up to `max`. */
export async function countVectors(
  db: Db,
  model: StoredModel,
  scope: SearchScope,
  max: number,
): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::float8 as n from (
      select from (${rowsInScope('embeddings', sql`id`, ofModel(model), scope)}) scope limit ${max}) counted`.execute(
    db,
  )
  return rows[0]?.n ?? 0
}

/** The documents with the nearest vectors, nearest first. The first n are the same for every limit. */
export async function nearestVectors(
  db: Db,
  model: ActiveModel,
  vector: string,
  { limit, ...scope }: SearchScope & { limit: number },
): Promise<Neighbor[]> {
  const found = scope.isSmall ? undefined : await searchIndex(db, model, vector, scope, limit)
  if (!found) return searchExactly(db, model, vector, scope, limit)
  if (found.length >= limit || !scope.filter) return found
  // The matches of the filter are far from the question. The rest follow those that the index found.
  const isFound = new Set(found.map(({ id }) => id))
  const others = await searchExactly(db, model, vector, scope, limit)
  return [...found, ...others.filter(({ id }) => !isFound.has(id))].slice(0, limit)
}

const distanceTo = ({ length }: ActiveModel, vector: string) =>
  sql`${indexedVector(length)} <=> ${vector}::${comparedType(length)}`

const neighborFields = sql`id, greatest(0, 1 - distance)::float8 as similarity`

/** The similarity of a row of `embeddings` to a vector, from 0 to 1. */
export const similarityTo = (model: ActiveModel, vector: string): RawBuilder<number> =>
  sql<number>`greatest(0, 1 - (${distanceTo(model, vector)}))::float8`

async function searchExactly(
  db: Db,
  model: ActiveModel,
  vector: string,
  scope: SearchScope,
  limit: number,
): Promise<Neighbor[]> {
  const distance = sql`id, ${distanceTo(model, vector)} as distance`
  const { rows } = await sql<Neighbor>`
    select ${neighborFields} from (${rowsInScope('embeddings', distance, ofModel(model), scope)}) compared
    order by distance, id limit ${limit}`.execute(db)
  return rows
}

/** Undefined if the index has too few vectors. */
async function searchIndex(
  db: Db,
  model: ActiveModel,
  vector: string,
  scope: SearchScope,
  limit: number,
): Promise<Neighbor[] | undefined> {
  const distance = distanceTo(model, vector)
  return db.transaction().execute(async (transaction) => {
    // Forces the index: with a different plan for another page, a document could be repeated or missed. Counts in the same
    // round trip.
    const { rows: counts } = await sql<{ isEnough: boolean }>`
      select (
          select count(*) > ${EXACT_SEARCH_MAX_VECTORS} from (
            select from embeddings where ${ofModel(model)} limit ${EXACT_SEARCH_MAX_VECTORS + 1}) counted
        ) as "isEnough",
        set_config('hnsw.ef_search', ${String(EF_SEARCH)}, true),
        set_config('hnsw.iterative_scan', 'strict_order', true),
        set_config('hnsw.max_scan_tuples', ${String(MAX_SCAN_TUPLES)}, true),
        set_config('enable_seqscan', 'off', true), set_config('enable_sort', 'off', true)`.execute(
      transaction,
    )
    if (!counts[0]?.isEnough) return undefined
    const { rows } = await sql<Neighbor>`
      select ${neighborFields} from (
        select id, ${distance} as distance from embeddings where ${ofModel(model)} and ${isInScope(scope)}
        order by ${distance} limit ${limit}) nearest`.execute(transaction)
    return rows
  })
}

/** A scalar subselect, which the planner cannot turn into a join. It is evaluated for each row from the index. */
const isInScope = (scope: SearchScope): RawBuilder<unknown> =>
  all([
    ...(scope.filter ? [sql`(select true from (${scope.filter}) scope where scope.id = embeddings.id)`] : []),
    ...inclusions(scope),
  ])
