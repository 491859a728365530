import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { rowsFrom } from '#src/platform/database/rows.ts'
import {
  LEXICAL_DIMENSIONS,
  LEXICAL_MODEL,
  MAX_WEIGHT,
  type SparseVector,
  toSparsevec,
  type Word,
  wordsOf,
  wordWeight,
} from '#src/platform/lexical.ts'
import { pgvectorSetup } from '../pgvector.ts'

/** Exists once the index has been created. */
export const LEXICAL_TABLE = 'lexical_corpus'

export interface Document {
  id: string
  text_hash: string
  weights: SparseVector
}

/** A parsed question. */
export interface LexicalQuery {
  words: Word[]
  /** The weight of each word that occurs in a document. */
  weights: SparseVector
  /** The highest possible score of a document. */
  maxScore: number
  /** The number of documents that contain each of those words. */
  frequencies: ReadonlyMap<number, number>
  /** The number of all documents. */
  documents: number
}

/** Words that may suffice to find the best documents. */
export interface RareWords {
  dimensions: number[]
  /** The sum of their frequencies: at least the number of documents that contain any of them. */
  frequency: number
  /** The highest possible score of a document that contains none of these words. */
  bound: number
}

interface Lookup {
  rare: RareWords
  isLookupFaster: boolean
}

/** Shares of all documents, which the sum of the frequencies of words is compared with. */
export interface LookupShares {
  /** Up to this share, words count as rare. */
  rare: number
  /** Up to this share, looking up the documents with any word is faster than reading all. */
  all: number
}

/** Looking up two fifths of 100,000 documents takes as long as reading all of them; a tenth, half as long. */
const LOOKUP_SHARES: LookupShares = { rare: 0.1, all: 0.3 }
/** The share of rare words in the frequencies of all words. With more, an attempt that may fail costs too much. */
const MAX_RARE_SHARE = 0.25

const DOCUMENT_COLUMNS = { id: 'text', text_hash: 'text', weights: 'text', words: 'text' } as const

/** Indexes documents by the weights of their words, as pgvector's sparse vectors. */
export class LexicalIndex {
  /**
   * Creates the index if it does not exist.
   * @throws Unavailable without pgvector
   */
  readonly prepare: () => Promise<void>
  /** The model and the text version of the stored vectors. */
  readonly model: string
  readonly #db: Db
  readonly #shares: LookupShares

  /**
   * @param textVersion the version of the indexed texts
   * @param onCreate called when the index is new, to queue all documents
   */
  constructor(
    db: Db,
    textVersion: number,
    onCreate: (transaction: Db) => Promise<unknown>,
    shares = LOOKUP_SHARES,
  ) {
    this.model = `${LEXICAL_MODEL}, text ${textVersion}`
    this.prepare = pgvectorSetup(db, LEXICAL_TABLE, (transaction) =>
      create(transaction, this.model, onCreate),
    )
    this.#db = db
    this.#shares = shares
  }

  /**
   * Stores or replaces documents whose text has changed. Only for the holder of the lock `search indexes`, because
   * concurrent calls would miscount words.
   */
  async store(transaction: Db, documents: Document[]): Promise<void> {
    if (documents.length === 0) return
    const rows = documents.map(({ id, text_hash, weights }) => ({
      id,
      text_hash,
      weights: toSparsevec(weights),
      words: `{${[...weights.keys()].join(',')}}`,
    }))
    // One statement, because others wait for the lock during each round trip.
    await sql`
      with given as materialized (
        select id, text_hash, weights, words::int[] from ${rowsFrom('document', DOCUMENT_COLUMNS, rows)}),
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

  /** Removes documents. Only for the holder of the lock `search indexes`, like `store`. */
  async remove(transaction: Db, ids: string[]): Promise<void> {
    if (ids.length === 0) return
    await sql`
      with removed as (delete from lexical_vectors where id = any(${ids}) returning words),
      counted as (update lexical_corpus set documents = documents - (select count(*) from removed))
      update lexical_words set documents = documents - n
      from (select unnest(words) as dimension, count(*) as n from removed group by 1) gone
      where lexical_words.dimension = gone.dimension`.execute(transaction)
  }

  /** Parses a text into a query. */
  async parseQuery(text: string): Promise<LexicalQuery> {
    const words = wordsOf(text)
    const dimensions = Array.from(new Set(words.map(({ dimension }) => dimension)), (dimension) => ({
      dimension,
    }))
    const { rows } = await sql<{ dimension: number; frequency: number; documents: number }>`
      select dimension, coalesce(lexical_words.documents, 0)::float8 as frequency,
        lexical_corpus.documents::float8 as documents
      from ${rowsFrom('question', { dimension: 'int' }, dimensions)} cross join lexical_corpus
      left join lexical_words using (dimension)`.execute(this.#db)
    const weights = rows.map(({ dimension, frequency, documents }) => ({
      dimension,
      frequency,
      weight: wordWeight(documents, frequency),
    }))
    const known = weights.filter(({ frequency }) => frequency > 0)
    return {
      words,
      weights: new Map(known.map(({ dimension, weight }) => [dimension, weight])),
      maxScore: weights.reduce((sum, { weight }) => sum + weight, 0) * MAX_WEIGHT,
      frequencies: new Map(known.map(({ dimension, frequency }) => [dimension, frequency])),
      documents: rows[0]?.documents ?? 0,
    }
  }

  /**
   * How to find the best documents of a query: by its rarest words, such that the documents that contain them are few enough
   * to score each one, because the other words have little weight (the MaxScore algorithm: Turtle and Flood, 1995); and
   * whether looking up the documents that contain any word is faster than reading all documents.
   */
  lookup({
    weights,
    frequencies,
    documents,
  }: Pick<LexicalQuery, 'weights' | 'frequencies' | 'documents'>): Lookup {
    const frequencyOf = (word: number) => frequencies.get(word) ?? 0
    const rarestFirst = [...weights].sort(([a], [b]) => frequencyOf(a) - frequencyOf(b))
    const total = rarestFirst.reduce((sum, [word]) => sum + frequencyOf(word), 0)
    const isLookupFaster = total <= documents * this.#shares.all
    const maxFrequency = Math.min(
      documents * this.#shares.rare,
      isLookupFaster ? total * MAX_RARE_SHARE : Number.POSITIVE_INFINITY,
    )
    const dimensions: number[] = []
    let [frequency, bound] = [0, 0]
    for (const [dimension, weight] of rarestFirst) {
      const sum = frequency + frequencyOf(dimension)
      if (sum <= maxFrequency) {
        dimensions.push(dimension)
        frequency = sum
      } else bound += weight * MAX_WEIGHT
    }
    return { rare: { dimensions, frequency, bound }, isLookupFaster }
  }
}

/** The score of a row of `lexical_vectors`: the sum of the weights of its words, at least 0. */
export const scoreOf = (weights: SparseVector): RawBuilder<number> =>
  sql<number>`-(lexical_vectors.weights <#> ${toSparsevec(weights)}::sparsevec)`

async function create(
  transaction: Db,
  model: string,
  onCreate: (transaction: Db) => Promise<unknown>,
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
  await onCreate(transaction)
}
