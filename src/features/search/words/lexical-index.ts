import { type RawBuilder, sql } from 'kysely'
import { preparation } from '#src/features/search/pgvector.ts'
import type { Db } from '#src/platform/database/database.ts'
import {
  LEXICAL_DIMENSIONS,
  LEXICAL_MODEL,
  MAX_WEIGHT,
  type SparseVector,
  toSparsevec,
  type Word,
  wordsOf,
  wordWeight,
} from '#src/platform/models/lexical.ts'

export interface Document {
  id: string
  text_hash: string
  weights: SparseVector
}

/** What a text is looked for by. */
export interface LexicalQuery {
  words: Word[]
  /** The weight of each word that some document has. */
  weights: SparseVector
  /** The highest score that a document could have. */
  highest: number
  /** How many documents have each of those words. */
  having: ReadonlyMap<number, number>
  /** How many documents there are. */
  documents: number
}

/** The words by which the best documents are found without looking at all that have any of the words. */
export interface RareWords {
  dimensions: number[]
  /** No document that has none of these words can have a higher score. */
  bound: number
}

/** Documents by the weights of their words, kept in pgvector's sparse vectors. */
export class LexicalIndex {
  /**
   * Creates what the index needs, when it is not there yet.
   * @throws Unavailable without pgvector
   */
  readonly prepare: () => Promise<void>
  /** What its vectors are made by, and the version of the texts. */
  readonly model: string
  readonly #db: Db
  readonly #candidateShare: number

  /**
   * @param textVersion of the texts that are indexed
   * @param onNew is called when the index is made anew, to see to it that all documents are stored
   * @param candidateShare which share of the documents to look at first: if the best of them are sure to be the best of
   * all, it was enough
   */
  constructor(
    db: Db,
    textVersion: number,
    onNew: (transaction: Db) => Promise<unknown>,
    candidateShare = 0.1,
  ) {
    this.model = `${LEXICAL_MODEL}, text ${textVersion}`
    this.prepare = preparation(db, (transaction) => create(transaction, this.model, onNew))
    this.#db = db
    this.#candidateShare = candidateShare
  }

  /**
   * Stores documents in place of what they were; those whose text has not changed are left alone. One process at a time
   * may do so, or words would be counted wrongly: under the lock `search indexes`.
   */
  async store(transaction: Db, documents: Document[]): Promise<void> {
    if (documents.length === 0) return
    // One statement: who waits for the lock waits for every round trip.
    await sql`
      with given as materialized (
        select id, text_hash, weights, words::int[] from unnest(${documents.map(({ id }) => id)}::text[],
          ${documents.map(({ text_hash }) => text_hash)}::text[],
          ${documents.map(({ weights }) => toSparsevec(weights))}::text[],
          ${documents.map(({ weights }) => `{${[...weights.keys()].join(',')}}`)}::text[])
          as given(id, text_hash, weights, words)),
      former as materialized (
        select id, text_hash, words from lexical_vectors where id = any(${documents.map(({ id }) => id)})),
      stored as (
        insert into lexical_vectors (id, text_hash, weights, words)
        select id, text_hash, weights::sparsevec, words from given
        where not exists (select from former where former.id = given.id and former.text_hash = given.text_hash)
        on conflict (id) do update
          set text_hash = excluded.text_hash, weights = excluded.weights, words = excluded.words
        returning id, words),
      differences as materialized (
        select dimension, sum(n) as n from (
          select unnest(words) as dimension, 1 as n from stored
          union all select unnest(former.words), -1 from former join stored using (id)) changed
        group by dimension having sum(n) <> 0),
      counted as (
        update lexical_corpus set documents = documents + added.n
        from (select count(*) as n from stored where id not in (select id from former)) added where added.n > 0),
      known as (
        update lexical_words set documents = documents + n
        from differences where lexical_words.dimension = differences.dimension
        returning lexical_words.dimension)
      insert into lexical_words (dimension, documents)
      select dimension, n from differences where dimension not in (select dimension from known)`.execute(
      transaction,
    )
  }

  /** What to look for a text by. */
  async queryOf(text: string): Promise<LexicalQuery> {
    const words = wordsOf(text)
    const dimensions = [...new Set(words.map(({ dimension }) => dimension))]
    const { rows } = await sql<{ dimension: number; having: number; documents: number }>`
      select dimension, coalesce(lexical_words.documents, 0)::float8 as having,
        lexical_corpus.documents::float8 as documents
      from unnest(${dimensions}::int[]) as asked(dimension) cross join lexical_corpus
      left join lexical_words using (dimension)`.execute(this.#db)
    const weights = rows.map(({ dimension, having, documents }) => ({
      dimension,
      having,
      weight: wordWeight(documents, having),
    }))
    const known = weights.filter(({ having }) => having > 0)
    return {
      words,
      weights: new Map(known.map(({ dimension, weight }) => [dimension, weight])),
      highest: weights.reduce((sum, { weight }) => sum + weight, 0) * MAX_WEIGHT,
      having: new Map(known.map(({ dimension, having }) => [dimension, having])),
      documents: rows[0]?.documents ?? 0,
    }
  }

  /**
   * The rarest words of a query, that so many documents have in all that each of them can be looked at; the others
   * weigh little (the algorithm MaxScore: Turtle and Flood, 1995).
   */
  rareWords({
    weights,
    having,
    documents: all,
  }: Pick<LexicalQuery, 'weights' | 'having' | 'documents'>): RareWords {
    const most = all * this.#candidateShare
    const rarestFirst = [...weights].sort(([a], [b]) => (having.get(a) ?? 0) - (having.get(b) ?? 0))
    const dimensions: number[] = []
    let [documents, bound] = [0, 0]
    for (const [dimension, weight] of rarestFirst) {
      documents += having.get(dimension) ?? 0
      if (documents <= most) dimensions.push(dimension)
      else bound += weight * MAX_WEIGHT
    }
    return { dimensions, bound }
  }
}

/** How well a row of `lexical_vectors` answers a query: the sum of its words' weights, 0 or more. */
export const scoreOf = (weights: SparseVector): RawBuilder<number> =>
  sql<number>`-(lexical_vectors.weights <#> ${toSparsevec(weights)}::sparsevec)`

async function create(
  transaction: Db,
  model: string,
  onNew: (transaction: Db) => Promise<unknown>,
): Promise<void> {
  await sql`
    create table if not exists lexical_vectors (
      id text collate "C" primary key,
      text_hash text not null,
      weights sparsevec(${sql.lit(LEXICAL_DIMENSIONS)}) not null,
      words int[] not null
    )`.execute(transaction)
  await sql`create index if not exists lexical_vectors_by_words on lexical_vectors using gin (words)`.execute(
    transaction,
  )
  await sql`create table if not exists lexical_words (dimension int primary key, documents bigint not null)`.execute(
    transaction,
  )
  await sql`create table if not exists lexical_corpus (model text not null, documents bigint not null)`.execute(
    transaction,
  )
  const { rows } = await sql<{ model: string }>`select model from lexical_corpus`.execute(transaction)
  if (rows[0]?.model === model) return
  await sql`truncate lexical_vectors, lexical_words, lexical_corpus`.execute(transaction)
  await sql`insert into lexical_corpus values (${model}, 0)`.execute(transaction)
  await onNew(transaction)
}
