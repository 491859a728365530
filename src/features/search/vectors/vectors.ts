import { type RawBuilder, sql } from 'kysely'
import { type Allowed, allowedRows } from '#src/features/search/pgvector.ts'
import type { Db } from '#src/platform/database/database.ts'
import { all } from '#src/platform/database/sql.ts'
import type { AnsweringModel, StoredModel } from './stored-model.ts'
import { comparedType, indexedVector, ofModel } from './vector-index.ts'

export interface StoredVector {
  id: string
  text_hash: string
  vector: number[]
}

export interface Neighbour {
  id: string
  /** The cosine of the angle between the vectors, from 0 to 1. */
  similarity: number
}

/** How many candidates the index keeps while it looks; pgvector's default, 40, misses some of the nearest. */
const EF_SEARCH = 100
/** How many the index looks at, of which a filter may keep few. The same for all pages, or they would not fit together. */
const MAX_SCANNED = 70_000
/** Up to so many vectors are compared one by one: of a small graph the index does not reach every vector. */
const EXACT_SEARCH_MAX_VECTORS = 3000

/** Stores vectors in place of the documents' former ones. They have the model's length. */
export async function storeVectors(
  transaction: Db,
  { key }: StoredModel,
  vectors: StoredVector[],
): Promise<void> {
  if (vectors.length === 0) return
  await sql`
    insert into embeddings (model, id, dimensions, text_hash, vector)
    select ${key}, id, vector_dims(vector::vector), text_hash, vector::vector
    from unnest(${vectors.map(({ id }) => id)}::text[], ${vectors.map(({ text_hash }) => text_hash)}::text[],
      ${vectors.map(({ vector }) => JSON.stringify(vector))}::text[]) as stored(id, text_hash, vector)
    on conflict (model, id) do update
      set dimensions = excluded.dimensions, text_hash = excluded.text_hash, vector = excluded.vector`.execute(
    transaction,
  )
}

/** The vector of a document, as pgvector writes it. */
export async function readVector(db: Db, { key }: StoredModel, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ vector: string }>`
    select vector::text from embeddings where model = ${key} and id = ${id}`.execute(db)
  return rows[0]?.vector
}

/** How many documents with a vector may be found, counted up to `most`. */
export async function countVectors(
  db: Db,
  model: StoredModel,
  allowed: Allowed,
  most: number,
): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::float8 as n from (
      select from (${allowedRows('embeddings', sql`id`, ofModel(model), allowed)}) allowed limit ${most}) counted`.execute(
    db,
  )
  return rows[0]?.n ?? 0
}

/** The documents with the nearest vectors, the nearest first. The first n are the same whatever the limit. */
export async function nearestVectors(
  db: Db,
  model: AnsweringModel,
  vector: string,
  { limit, ...allowed }: Allowed & { limit: number },
): Promise<Neighbour[]> {
  const isSmall = async () =>
    (await countVectors(db, model, EVERYTHING, EXACT_SEARCH_MAX_VECTORS + 1)) <= EXACT_SEARCH_MAX_VECTORS
  if (allowed.areFew || (await isSmall())) return compareAll(db, model, vector, allowed, limit)
  const found = await askIndex(db, model, vector, allowed, limit)
  if (found.length >= limit || !allowed.filter) return found
  // What the filter keeps is far from the question: behind all that the index finds of it comes the rest.
  const isFound = new Set(found.map(({ id }) => id))
  const others = await compareAll(db, model, vector, allowed, limit)
  return [...found, ...others.filter(({ id }) => !isFound.has(id))].slice(0, limit)
}

const EVERYTHING: Allowed = { filter: undefined, areFew: false, except: undefined }

const distanceTo = ({ length }: AnsweringModel, vector: string) =>
  sql`${indexedVector(length)} <=> ${vector}::${comparedType(length)}`

const found = sql`id, greatest(0, 1 - distance)::float8 as similarity`

async function compareAll(
  db: Db,
  model: AnsweringModel,
  vector: string,
  allowed: Allowed,
  limit: number,
): Promise<Neighbour[]> {
  const distance = sql`id, ${distanceTo(model, vector)} as distance`
  const { rows } = await sql<Neighbour>`
    select ${found} from (${allowedRows('embeddings', distance, ofModel(model), allowed)}) compared
    order by distance, id limit ${limit}`.execute(db)
  return rows
}

async function askIndex(
  db: Db,
  model: AnsweringModel,
  vector: string,
  allowed: Allowed,
  limit: number,
): Promise<Neighbour[]> {
  const distance = distanceTo(model, vector)
  return db.transaction().execute(async (transaction) => {
    // The index, whatever the planner thinks: another plan for another page could repeat or miss a document.
    await sql`
      select set_config('hnsw.ef_search', ${String(EF_SEARCH)}, true),
        set_config('hnsw.iterative_scan', 'strict_order', true),
        set_config('hnsw.max_scan_tuples', ${String(MAX_SCANNED)}, true),
        set_config('enable_seqscan', 'off', true), set_config('enable_sort', 'off', true)`.execute(
      transaction,
    )
    const { rows } = await sql<Neighbour>`
      select ${found} from (
        select id, ${distance} as distance from embeddings where ${ofModel(model)} and ${isAllowedOneByOne(allowed)}
        order by ${distance} limit ${limit}) nearest`.execute(transaction)
    return rows
  })
}

/** As a value, which the planner cannot turn into a join: it is looked at for each row that the index gives. */
const isAllowedOneByOne = ({ filter, except }: Allowed): RawBuilder<unknown> =>
  all([
    ...(filter ? [sql`(select true from (${filter}) allowed where allowed.id = embeddings.id)`] : []),
    ...(except ? [sql`id <> ${except}`] : []),
  ])
