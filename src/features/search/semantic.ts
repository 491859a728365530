import { sql } from 'kysely'
import { companyConditions } from '#src/features/companies/store.ts'
import type { Db } from '#src/platform/database/database.ts'
import { all, type JsonPage } from '#src/platform/database/sql.ts'
import { documentWeights } from '#src/platform/models/lexical.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import { type EmbeddedFields, embeddedFields, embeddingText } from './embedding-text.ts'
import { fuse } from './fusion.ts'
import { readScope, type SearchScope } from './pgvector.ts'
import { readResults } from './results.ts'
import type { SemanticQuery, SimilarQuery } from './schema.ts'
import type { EmbeddingModels } from './vectors/embedding-models.ts'
import type { EmbedQuestion } from './vectors/question-vectors.ts'
import type { AnsweringModel } from './vectors/stored-model.ts'
import { countVectors, nearestVectors, readVector } from './vectors/vectors.ts'
import type { LexicalIndex, LexicalQuery } from './words/lexical-index.ts'
import { countByWords, type RankedCompany, rankByWords, type WordsQuery } from './words/rank.ts'

/** Rankings end here, because deeper pages cost more and are rarely read. */
const MAX_RANK = 1000
/** The length of the rankings that are fused. It is the same for all pages, so that no page repeats a company. */
const FUSION_DEPTH = 200

export interface Indexes {
  lexicalIndex: LexicalIndex
  /** Set if there is an embedding endpoint. Until a model is complete, the lexical index answers. */
  vectors: { models: EmbeddingModels; embedQuestion: EmbedQuestion } | undefined
}

/** A ranking, and what its results are shown with. */
interface Ranking {
  /** Up to the end of the page. */
  ranked: RankedCompany[]
  total: number
  /** The key of the model whose vectors were compared. */
  model?: string
  /** The words of the question, if results list those that they contain. */
  words?: LexicalQuery['words']
}

/** Companies ranked by how well they match a question. */
export async function searchCompanies(db: Db, indexes: Indexes, query: SemanticQuery): Promise<JsonPage> {
  return readPage(db, query, await rankByQuestion(db, indexes, query))
}

async function rankByQuestion(
  db: Db,
  { lexicalIndex, vectors }: Indexes,
  query: SemanticQuery,
): Promise<Ranking> {
  const scope = await scopeOf(db, query)
  const model = await vectors?.models.answering()
  const vector = vectors && model && (await questionVector(vectors, model, query.q))
  const isHybrid = query.mode === 'hybrid'
  if (model && vector && !isHybrid) return searchByVector(db, query, model, vector, scope)
  const question = await parseQuestion(lexicalIndex, query.q)
  const words = isHybrid ? { words: question.words } : {}
  if (!model || !vector) return { ...(await searchByWords(db, query, question, scope)), ...words }
  const ranked = fuse(
    await Promise.all([
      nearestVectors(db, model, vector, { limit: FUSION_DEPTH, ...scope }),
      rankByWords(db, question, scope, FUSION_DEPTH),
    ]),
  )
  return { ranked, total: ranked.length, model: model.key, ...words }
}

/** Undefined if the endpoint fails for the previous model: it may no longer serve that one. */
async function questionVector(
  { models, embedQuestion }: NonNullable<Indexes['vectors']>,
  model: AnsweringModel,
  question: string,
): Promise<string | undefined> {
  try {
    return await embedQuestion(model, question)
  } catch (error) {
    if (model.key !== models.key) return undefined
    throw error
  }
}

/** Companies similar to this one, by its vector, or else by its words. Undefined if there is no such company. */
export async function findSimilar(
  db: Db,
  { lexicalIndex, vectors }: Indexes,
  id: string,
  query: SimilarQuery,
): Promise<JsonPage | undefined> {
  const { rows } = await sql<EmbeddedFields>`
    select ${embeddedFields} from companies where id = ${id}`.execute(db)
  const [company] = rows
  if (!company) return undefined
  const scope = await scopeOf(db, query, id)
  const model = await vectors?.models.answering()
  const vector = model && (await readVector(db, model, id))
  const ranking =
    model && vector
      ? await searchByVector(db, query, model, vector, scope)
      : await searchByWords(db, query, await similarityQuery(lexicalIndex, embeddingText(company)), scope)
  return readPage(db, query, ranking)
}

async function searchByWords(
  db: Db,
  query: SimilarQuery,
  question: WordsQuery,
  scope: SearchScope,
): Promise<Ranking> {
  const [ranked, total] = await Promise.all([
    rankByWords(db, question, scope, rankDepth(query)),
    countByWords(db, question, scope, MAX_RANK),
  ])
  return { ranked, total }
}

async function searchByVector(
  db: Db,
  query: SimilarQuery,
  model: AnsweringModel,
  vector: string,
  scope: SearchScope,
): Promise<Ranking> {
  const [ranked, total] = await Promise.all([
    nearestVectors(db, model, vector, { limit: rankDepth(query), ...scope }),
    countVectors(db, model, scope, MAX_RANK),
  ])
  return { ranked, total, model: model.key }
}

async function readPage(
  db: Db,
  query: SimilarQuery,
  { ranked, total, ...shown }: Ranking,
): Promise<JsonPage> {
  const { limit, offset } = pageOf(query)
  return { records: await readResults(db, ranked.slice(offset, offset + limit), shown), total }
}

function rankDepth(query: SimilarQuery): number {
  const { limit, offset } = pageOf(query)
  return Math.min(MAX_RANK, offset + limit)
}

async function parseQuestion(index: LexicalIndex, text: string): Promise<LexicalQuery & WordsQuery> {
  const question = await index.parseQuery(text)
  return { ...question, rare: index.rareWords(question) }
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
  return { weights, maxScore, rare: index.rareWords({ ...counts, weights }) }
}

/** The companies that match the filters of a query. */
function scopeOf(db: Db, query: SimilarQuery, excludedId?: string): Promise<SearchScope> {
  const conditions = companyConditions(query, 'index')
  const filter = conditions.length > 0 ? sql`select id from companies where ${all(conditions)}` : undefined
  return readScope(db, filter, excludedId)
}
