import { sql } from 'kysely'
import { companyConditions, type Selection } from '#src/features/companies/index.ts'
import type { EmbeddingsConfig } from '#src/platform/config/embeddings.ts'
import type { Db } from '#src/platform/database/database.ts'
import { all, type JsonPage } from '#src/platform/database/sql.ts'
import type { Embedder } from '#src/platform/embeddings/endpoint-embedder.ts'
import { documentWeights, MAX_WEIGHT } from '#src/platform/lexical.ts'
import { type PageRequest, pageOf } from '#src/platform/schema/shapes.ts'
import { type EmbeddedFields, embeddedFields, embeddingText, TEXT_VERSION } from './embedding-text.ts'
import { readScope, type SearchScope } from './pgvector.ts'
import {
  bestByWords,
  type ComparedVector,
  type Ranking,
  rankByBoth,
  rankByVector,
  rankByWordsAlone,
  type VectorFusion,
} from './ranking.ts'
import { readResults } from './results.ts'
import type { SemanticQuery, SimilarQuery } from './schema.ts'
import type { EmbeddedShare } from './vectors/embedded-share.ts'
import { createEmbeddedShare } from './vectors/embedded-share.ts'
import { EmbeddingModels } from './vectors/embedding-models.ts'
import type { EmbedQueries } from './vectors/query-vectors.ts'
import { createQueryEmbedder } from './vectors/query-vectors.ts'
import type { ActiveModel } from './vectors/stored-model.ts'
import { readVector } from './vectors/vectors.ts'
import { enqueueAllCompanies, enqueueAllVectors } from './words/index-changed.ts'
import type { LexicalQuery } from './words/lexical-index.ts'
import { LexicalIndex } from './words/lexical-index.ts'
import type { WordsQuery } from './words/rank.ts'

export interface Indexes {
  lexicalIndex: LexicalIndex
  /** Set if there is an embedding model. Until it has vectors, the lexical index answers. */
  vectors: VectorSearch | undefined
}

export interface VectorSearch {
  models: EmbeddingModels
  embedQuestions: EmbedQueries
  /** Why questions cannot be embedded now; null if they can, or if that is unknown. */
  fault: () => string | null
  /** The weight of vectors relative to words, from 0 to 1. */
  weight: number
  /** With a lower cosine, only words make a company a result. */
  minCosine: number
  embeddedShare: EmbeddedShare
  /** Whether words answer when the model fails. Otherwise the search fails. */
  isOptional: boolean
}

/**
 * The weight of vectors relative to words. While vectors are being created, they count less: otherwise having one would matter
 * more than matching the question.
 */
const fusionOf = async (
  { weight, minCosine, embeddedShare }: VectorSearch,
  model: ActiveModel,
): Promise<VectorFusion> => ({ vectorWeight: weight * (await embeddedShare(model)), minCosine })

/** A query whose filter has been checked. */
type Selected<Query> = Omit<Query, 'filter'> & Selection

/**
 * Companies ranked by how well they match a question.
 * @throws Unavailable if the model fails and a search by words alone is not allowed
 */
export async function searchCompanies(
  db: Db,
  indexes: Indexes,
  query: Selected<SemanticQuery>,
): Promise<JsonPage> {
  const { lexicalIndex, vectors } = indexes
  const { q, mode = 'auto' } = query
  const parsed = Promise.all([scopeOf(db, query), parseSearch(lexicalIndex, q)])
  const active = Promise.resolve(mode === 'words' ? undefined : vectors?.models.answering())
  const embedded = active.then((model) => vectors && model && queryVector(vectors, model, q))
  // Words are searched while the model embeds the question, and while its vector is compared.
  const byWords = Promise.all([parsed, active]).then(([[scope, question], model]) =>
    model && mode === 'auto' ? bestByWords(db, question, scope) : [],
  )
  // The ranking by both awaits it. Otherwise its failure does not matter.
  byWords.catch(() => {})
  const [[scope, question], vector] = await Promise.all([parsed, embedded])
  const page = pageOf(query)
  const ranking =
    vectors && vector
      ? mode === 'vector'
        ? await rankByVector(db, vector, scope, page)
        : await rankByBoth(db, question, byWords, vector, scope, fusionOf(vectors, vector.model))
      : await rankByWordsAlone(db, question, scope, { ...page, isCut: mode === 'auto' })
  return readPage(db, query, ranking, question.words)
}

/** Undefined if only words can be searched. */
async function queryVector(
  { models, embedQuestions: embedQueries, isOptional }: VectorSearch,
  model: ActiveModel,
  question: string,
): Promise<ComparedVector | undefined> {
  try {
    const [vector = ''] = await embedQueries(model, [question])
    return { model, vector }
  } catch (error) {
    // The endpoint may no longer serve the previous model, or have failed before it made all vectors of this one.
    if (isOptional || model.key !== models.key || model.state === 'filling') return undefined
    throw error
  }
}

/** Companies similar to this one, by its words and its vector. Undefined if there is no such company. */
export async function findSimilar(
  db: Db,
  { lexicalIndex, vectors }: Indexes,
  id: string,
  query: Selected<SimilarQuery>,
): Promise<JsonPage | undefined> {
  const { rows } = await sql<EmbeddedFields>`
    select ${embeddedFields} from companies where id = ${id}`.execute(db)
  const [company] = rows
  if (!company) return undefined
  const [scope, words, vector] = await Promise.all([
    scopeOf(db, query, id),
    similarityQuery(lexicalIndex, embeddingText(company)),
    vectors && companyVector(db, vectors, id),
  ])
  const ranking =
    vectors && vector
      ? await rankByBoth(
          db,
          words,
          bestByWords(db, words, scope),
          vector,
          scope,
          fusionOf(vectors, vector.model),
        )
      : await rankByWordsAlone(db, words, scope, { ...pageOf(query), isCut: true })
  return readPage(db, query, ranking)
}

async function companyVector(
  db: Db,
  { models }: VectorSearch,
  id: string,
): Promise<ComparedVector | undefined> {
  const model: ActiveModel | undefined = await models.answering()
  const vector = model && (await readVector(db, model, id))
  return model && vector ? { model, vector } : undefined
}

async function readPage(
  db: Db,
  query: Partial<PageRequest>,
  { ranked, total, model }: Ranking,
  words?: LexicalQuery['words'],
): Promise<JsonPage> {
  const { limit, offset } = pageOf(query)
  return { records: await readResults(db, ranked.slice(offset, offset + limit), { model, words }), total }
}

async function parseSearch(index: LexicalIndex, text: string): Promise<LexicalQuery & WordsQuery> {
  const question = await index.parseQuery(text)
  return { ...question, ...index.lookup(question), totalWeight: question.maxScore / MAX_WEIGHT }
}

/** A query for companies similar to this text. Each word counts as much as it does in the text. */
async function similarityQuery(index: LexicalIndex, text: string): Promise<WordsQuery> {
  const { weights: rarity, ...counts } = await index.parseQuery(text)
  const textWeights = documentWeights(text)
  const weights = new Map(
    Array.from(textWeights, ([word, weight]): [number, number] => [
      word,
      weight * (rarity.get(word) ?? 0),
    ]).filter(([, weight]) => weight > 0),
  )
  // The score of the text itself.
  const maxScore = [...weights].reduce(
    (sum, [word, weight]) => sum + weight * (textWeights.get(word) ?? 0),
    0,
  )
  return { weights, maxScore, ...index.lookup({ ...counts, weights }) }
}

/** The companies that match the filters of a query. */
function scopeOf(db: Db, query: Selection, excludedId?: string): Promise<SearchScope> {
  const conditions = companyConditions(query, 'index')
  const filter = conditions.length > 0 ? sql`select id from companies where ${all(conditions)}` : undefined
  return readScope(db, filter, excludedId)
}

/** The indexes that the settings select; undefined if semantic search is off. */
export function openIndexes(
  db: Db,
  { kind, model, vectorWeight, minCosine, maxVectors }: Omit<EmbeddingsConfig, 'endpoint'>,
  embedder: Embedder | undefined,
): Indexes | undefined {
  if (kind === 'off') return undefined
  const lexicalIndex = new LexicalIndex(db, TEXT_VERSION, enqueueAllCompanies)
  if (!model || !embedder) return { lexicalIndex, vectors: undefined }
  return {
    lexicalIndex,
    vectors: {
      models: new EmbeddingModels(
        db,
        { ...model, isAtEndpoint: kind === 'openai-compatible' },
        TEXT_VERSION,
        enqueueAllVectors,
      ),
      embedQuestions: createQueryEmbedder(embedder),
      fault: () => embedder.fault?.() ?? null,
      weight: vectorWeight,
      minCosine,
      embeddedShare: createEmbeddedShare(db, maxVectors),
      isOptional: kind !== 'openai-compatible',
    },
  }
}
