import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { all, type JsonPage } from '#src/platform/database/sql.ts'
import { documentWeights } from '#src/platform/models/lexical.ts'
import { type EmbeddedFields, embeddedFields, embeddingText } from './embedding-text.ts'
import { fuse } from './fusion.ts'
import { type Allowed, allowing } from './pgvector.ts'
import { readResults } from './results.ts'
import type { SemanticQuery, SimilarQuery } from './schema.ts'
import type { EmbeddingModels } from './vectors/embedding-models.ts'
import type { QuestionVectors } from './vectors/question-vectors.ts'
import type { AnsweringModel } from './vectors/stored-model.ts'
import { countVectors, nearestVectors, readVector } from './vectors/vectors.ts'
import type { LexicalIndex, LexicalQuery } from './words/lexical-index.ts'
import { countByWords, type Ranked, rankByWords, type WordsQuery } from './words/rank.ts'

/** The ranking ends here: nobody reads further, and every page costs the more the deeper it is. */
const MAX_RANK = 1000
/** Of so many of each ranking the fused one is made, whatever the page, so that pages do not repeat a company. */
const FUSED = 200

/** What companies are found by. */
export interface Indexes {
  lexicalIndex: LexicalIndex
  /** Of a model behind an endpoint: until it is complete, and no earlier one is, words answer. */
  vectors: { models: EmbeddingModels; ofQuestion: QuestionVectors } | undefined
}

/** Companies by how well they answer a question in words. */
export async function searchCompanies(
  db: Db,
  { lexicalIndex, vectors }: Indexes,
  query: SemanticQuery,
): Promise<JsonPage> {
  const allowed = await allowing(db, filterOf(query))
  const model = await vectors?.models.answering()
  const vector = vectors && model && (await questionVector(vectors, model, query.q))
  const isHybrid = query.mode === 'hybrid'
  if (!model || !vector) {
    const question = await questionOf(lexicalIndex, query.q)
    return byWords(db, query, question, allowed, isHybrid ? question.words : undefined)
  }
  if (!isHybrid) return byVector(db, query, model, vector, allowed)
  const question = await questionOf(lexicalIndex, query.q)
  const rankings = await Promise.all([
    nearestVectors(db, model, vector, { limit: FUSED, ...allowed }),
    rankByWords(db, question, allowed, FUSED),
  ])
  const fused = fuse(rankings)
  const records = await readResults(db, pageOf(fused, query), { model: model.key, words: question.words })
  return { records, total: fused.length }
}

/** The endpoint may not serve the former model any more, and has to be asked for the configured one only. */
async function questionVector(
  { models, ofQuestion }: NonNullable<Indexes['vectors']>,
  model: AnsweringModel,
  question: string,
): Promise<string | undefined> {
  try {
    return await ofQuestion(model, question)
  } catch (error) {
    if (model.key !== models.key) return undefined
    throw error
  }
}

/** Companies like this one, by its vector, else by its words; undefined when there is no such company. */
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
  const allowed = await allowing(db, filterOf(query), id)
  const model = await vectors?.models.answering()
  const vector = model && (await readVector(db, model, id))
  if (model && vector) return byVector(db, query, model, vector, allowed)
  return byWords(db, query, await likenessOf(lexicalIndex, embeddingText(company)), allowed)
}

async function byWords(
  db: Db,
  query: SimilarQuery,
  question: WordsQuery,
  allowed: Allowed,
  words?: LexicalQuery['words'],
): Promise<JsonPage> {
  const [ranked, total] = await Promise.all([
    rankByWords(db, question, allowed, depthOf(query)),
    countByWords(db, question, allowed, MAX_RANK),
  ])
  return { records: await readResults(db, pageOf(ranked, query), { model: undefined, words }), total }
}

async function byVector(
  db: Db,
  query: SimilarQuery,
  model: AnsweringModel,
  vector: string,
  allowed: Allowed,
): Promise<JsonPage> {
  const [ranked, total] = await Promise.all([
    nearestVectors(db, model, vector, { limit: depthOf(query), ...allowed }),
    countVectors(db, model, allowed, MAX_RANK),
  ])
  const records = await readResults(db, pageOf(ranked, query), { model: model.key, words: undefined })
  return { records, total }
}

const depthOf = ({ limit = 20, offset = 0 }: SimilarQuery) => Math.min(MAX_RANK, offset + limit)
const pageOf = (ranked: Ranked[], { limit = 20, offset = 0 }: SimilarQuery) =>
  ranked.slice(offset, offset + limit)

async function questionOf(index: LexicalIndex, text: string): Promise<LexicalQuery & WordsQuery> {
  const question = await index.queryOf(text)
  return { ...question, rare: index.rareWords(question) }
}

/** What companies like one with this text are ranked by: its words count as much as they do in it. */
async function likenessOf(index: LexicalIndex, text: string): Promise<WordsQuery> {
  const { weights: rarity, ...counts } = await index.queryOf(text)
  const own = documentWeights(text)
  const weights = new Map(
    Array.from(own, ([word, weight]): [number, number] => [word, weight * (rarity.get(word) ?? 0)]).filter(
      ([, weight]) => weight > 0,
    ),
  )
  // As much as the company itself would score.
  const highest = [...weights].reduce((sum, [word, weight]) => sum + weight * (own.get(word) ?? 0), 0)
  return { weights, highest, rare: index.rareWords({ ...counts, weights }) }
}

/** The ids of the companies that pass the filters; undefined: all do. */
function filterOf({
  status,
  country_code,
  industry_category,
  thesis_id,
  min_score,
}: SimilarQuery): Allowed['filter'] {
  const conditions: RawBuilder<unknown>[] = []
  if (status) conditions.push(sql`status = ${status}`)
  if (country_code) conditions.push(sql`country_code = ${country_code}`)
  if (industry_category) conditions.push(sql`industry_category = ${industry_category}`)
  if (thesis_id) conditions.push(sql`thesis_id = ${thesis_id}`)
  if (min_score !== undefined) conditions.push(sql`llm_score_overall >= ${min_score}`)
  return conditions.length > 0 ? sql`select id from companies where ${all(conditions)}` : undefined
}
