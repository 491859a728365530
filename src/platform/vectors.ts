import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { tryAlone } from './advisory-locks.ts'
import type { Db } from './database.ts'
import { type EmbeddingModel, wrongLength } from './embeddings.ts'
import { type Allowed, allowedRows, preparation } from './pgvector.ts'
import { all } from './sql.ts'

/** A model whose vectors the database has. */
export interface StoredModel extends EmbeddingModel {
  /** The name, the dimensions and the version of the text: vectors of different keys are never compared. */
  key: string
  /** How many numbers its vectors have; null before the first one. */
  length: number | null
  /** Whether every document has, or had its chance to get, a vector. `former`: it is about to be removed. */
  state: 'filling' | 'complete' | 'former'
}

/** One that has vectors to answer by. */
export type AnsweringModel = StoredModel & { length: number }

export interface StoredVector {
  id: string
  text_hash: string
  vector: number[]
}

export interface Neighbour {
  id: string
  /** The cosine of the angle between the vectors, 1 at the most. */
  similarity: number
}

/** Up to so many numbers pgvector indexes in full precision, beyond it in half. */
const MOST_IN_FULL = 2000

/** How many candidates the index keeps while it looks; pgvector's default, 40, misses some of the nearest. */
const EF_SEARCH = 100

const fields = sql`key, name, dimensions, length, state`

/** Documents by the vectors of a model, with an index for each model. */
export class VectorIndex {
  /**
   * Creates what the index needs, when it is not there yet, and makes the configured model known.
   * @throws HttpError 503 without pgvector
   */
  readonly prepare: () => Promise<void>
  /** The key of the configured model. */
  readonly key: string
  readonly #db: Db

  /**
   * @param textVersion of the text that is embedded; another one makes all vectors anew
   * @param onNew is called when a model is new, to note all documents as due
   */
  constructor(
    db: Db,
    model: EmbeddingModel,
    textVersion: number,
    onNew: (transaction: Db, model: string) => Promise<unknown>,
  ) {
    const { name, dimensions } = model
    this.key = `${name}${dimensions ? `, ${dimensions} dimensions` : ''}, text ${textVersion}`
    this.#db = db
    this.prepare = preparation(db, 'vector index', async (transaction) => {
      await sql`
        create table if not exists embeddings (
          model text collate "C" not null,
          id text collate "C" not null,
          dimensions int not null,
          text_hash text not null,
          vector vector not null,
          primary key (model, id)
        )`.execute(transaction)
      const { rows } = await sql`
        insert into embedding_models (key, name, dimensions) values (${this.key}, ${name}, ${dimensions ?? null})
        on conflict (key) do update set state = 'filling' where embedding_models.state = 'former'
        returning key`.execute(transaction)
      if (rows.length > 0) await onNew(transaction, this.key)
    })
  }

  /** All models that are known, the configured one first, then the latest. */
  async models(): Promise<StoredModel[]> {
    const { rows } = await sql<StoredModel>`
      select ${fields} from embedding_models order by key = ${this.key} desc, created_at desc`.execute(
      this.#db,
    )
    return rows
  }

  /** The model whose vectors answer: the configured one, or until that is complete the one before it; undefined: none. */
  async answering(): Promise<AnsweringModel | undefined> {
    const models = await this.models()
    return models.find(
      (model): model is AnsweringModel => model.state === 'complete' && model.length !== null,
    )
  }

  /**
   * Says how many numbers a model's vectors have, which is not known before the first one, and creates their index.
   * @throws EndpointFailure when its vectors have another number already
   */
  async setLength(model: StoredModel, length: number): Promise<StoredModel> {
    const { rows } = await sql<StoredModel>`
      update embedding_models set length = coalesce(length, ${length}) where key = ${model.key}
      returning ${fields}`.execute(this.#db)
    const [updated = model] = rows
    if (updated.length !== length) throw wrongLength(model.name, length, updated.length ?? 0)
    await this.createIndex(updated)
    return updated
  }

  /** Stores vectors in place of the documents' former ones. They have the model's length. */
  async store(transaction: Db, { key }: StoredModel, vectors: StoredVector[]): Promise<void> {
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
  async vectorOf({ key }: StoredModel, id: string): Promise<string | undefined> {
    const { rows } = await sql<{ vector: string }>`
      select vector::text from embeddings where model = ${key} and id = ${id}`.execute(this.#db)
    return rows[0]?.vector
  }

  /** The documents with the nearest vectors, the nearest first. The first n are the same whatever the limit. */
  async nearest(
    model: AnsweringModel,
    vector: string,
    { limit, ...allowed }: Allowed & { limit: number },
  ): Promise<Neighbour[]> {
    const distance = sql`(${indexed(model.length)}) <=> ${vector}::${typeOf(model.length)}`
    const found = sql`id, greatest(0, 1 - distance)::float8 as similarity`
    if (allowed.areFew) {
      const compared = allowedRows('embeddings', sql`id, ${distance} as distance`, of(model), allowed)
      const { rows } = await sql<Neighbour>`
        select ${found} from (${compared}) compared order by distance, id limit ${limit}`.execute(this.#db)
      return rows
    }
    return this.#db.transaction().execute(async (transaction) => {
      // The index, whatever the planner thinks: another plan for another page could repeat or miss a document.
      await sql`
        select set_config('hnsw.ef_search', ${String(EF_SEARCH)}, true),
          set_config('hnsw.iterative_scan', 'strict_order', true),
          set_config('hnsw.max_scan_tuples', ${String(50 * limit + 20_000)}, true),
          set_config('enable_seqscan', 'off', true), set_config('enable_sort', 'off', true)`.execute(
        transaction,
      )
      const { rows } = await sql<Neighbour>`
        select ${found} from (
          select id, ${distance} as distance from embeddings where ${of(model)} and ${isAllowedOneByOne(allowed)}
          order by ${distance} limit ${limit}) nearest`.execute(transaction)
      return rows
    })
  }

  /** How many documents with a vector may be found, counted up to `most`. */
  async count(model: StoredModel, allowed: Allowed, most: number): Promise<number> {
    const { rows } = await sql<{ n: number }>`
      select count(*)::float8 as n from (
        select from (${allowedRows('embeddings', sql`id`, of(model), allowed)}) allowed limit ${most}) counted`.execute(
      this.#db,
    )
    return rows[0]?.n ?? 0
  }

  /**
   * Creates the model's index, or makes one anew that was cut short, without keeping anybody from writing. Before the
   * first vector is stored this takes no time, and each vector that comes is added to it.
   */
  async createIndex({ key, length }: StoredModel): Promise<void> {
    if (length === null) return
    const name = indexName(key)
    await this.#db.connection().execute((connection) =>
      tryAlone(connection, 'build vector index', async () => {
        if (await isIndexValid(connection, name)) return
        await sql`drop index concurrently if exists ${sql.id(name)}`.execute(connection)
        await sql`set maintenance_work_mem = '512MB'`.execute(connection)
        await sql`
          create index concurrently ${sql.id(name)} on embeddings
          using hnsw ((${indexed(length)}) ${sql.raw(`${elementType(length)}_cosine_ops`)}) where ${of({ key })}`.execute(
          connection,
        )
        await sql`reset maintenance_work_mem`.execute(connection)
      }),
    )
  }

  /**
   * Says that the configured model answers from now on, once nothing is left to embed and not most have failed; the others
   * are given up.
   */
  async complete(): Promise<void> {
    await sql`
      with done as (
        update embedding_models set state = 'complete'
        where key = ${this.key} and state = 'filling'
          and not exists (select from embeddings_due where model = ${this.key} and due_at is not null)
          and (select count(*) from embeddings_due where model = ${this.key}) <=
            (select count(*) from embeddings where model = ${this.key})
        returning key)
      update embedding_models set state = 'former' where key <> ${this.key} and exists (select from done)`.execute(
      this.#db,
    )
  }

  /** Removes what is left of models that have been given up, a part at a time. */
  async removeFormer(): Promise<void> {
    const former = (await this.models()).filter(({ state }) => state === 'former')
    for (const { key } of former) {
      await sql`drop index concurrently if exists ${sql.id(indexName(key))}`.execute(this.#db)
      for (let removed = REMOVED_AT_ONCE; removed === REMOVED_AT_ONCE; ) {
        const { rows } = await sql`
          delete from embeddings where model = ${key} and id in (
            select id from embeddings where model = ${key} limit ${REMOVED_AT_ONCE}) returning 1`.execute(
          this.#db,
        )
        removed = rows.length
      }
      await sql`delete from embedding_models where key = ${key} and state = 'former'`.execute(this.#db)
    }
  }
}

const REMOVED_AT_ONCE = 1000

/** The rows of a model; as a literal, so that the planner knows them for those of the model's index. */
const of = ({ key }: Pick<StoredModel, 'key'>) => sql`model = ${sql.lit(key)}`

/** As a value, which the planner cannot turn into a join: it is looked at for each row that the index gives. */
const isAllowedOneByOne = ({ filter, except }: Allowed): RawBuilder<unknown> =>
  all([
    ...(filter ? [sql`(select true from (${filter}) allowed where allowed.id = embeddings.id)`] : []),
    ...(except ? [sql`id <> ${except}`] : []),
  ])

const elementType = (length: number) => (length <= MOST_IN_FULL ? 'vector' : 'halfvec')
const typeOf = (length: number) => sql.raw(`${elementType(length)}(${length})`)
const indexed = (length: number) => sql`vector::${typeOf(length)}`

const indexName = (key: string) =>
  `embeddings_of_${createHash('sha256').update(key).digest('hex').slice(0, 16)}`

async function isIndexValid(db: Db, name: string): Promise<boolean> {
  const { rows } = await sql<{ valid: boolean }>`
    select indisvalid as valid from pg_index where indexrelid = to_regclass(${name})`.execute(db)
  return rows[0]?.valid ?? false
}
