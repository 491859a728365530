import { sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { unitVector } from '#src/platform/embeddings/unit-vector.ts'
import { documentWeights, MAX_WEIGHT, wordsOf, wordWeight } from '#src/platform/lexical.ts'
import { type EmbeddedFields, embeddedFields, embeddingText } from '../embedding-text.ts'
import type { ComparedVector } from '../ranking.ts'
import type { Indexes, VectorSearch } from '../semantic.ts'
import type { ActiveModel } from '../vectors/stored-model.ts'
import { readVectors } from '../vectors/vectors.ts'
import type { LexicalQuery, RareWords } from '../words/lexical-index.ts'
import type { WordsQuery } from '../words/rank.ts'

/** A text that companies are compared with, and how much it counts: less than 0 for what is not wanted. */
export interface WeightedText {
  text: string
  weight: number
}

/** Companies that results should be like, or unlike. */
export interface Feedback {
  liked: string[]
  disliked: string[]
}

/** A text as a part of a query. */
export interface ParsedText extends WeightedText {
  /** How rare each of its words is, by dimension. */
  rarity: Numbers
  /** The same for the part before a colon, which names what the rest explains; without one, for all words. */
  core: Numbers
  /** In pgvector's text format; undefined without a model. */
  vector: string | undefined
}

/** A question that consists of several texts. */
export interface WeightedQuery {
  texts: ParsedText[]
  words: WordsQuery
  /** Undefined if only words can be compared. */
  compared: ComparedVector | undefined
  vectorWeight: number
  /** The number of indexed companies. */
  documents: number
}

/** A company counts as ideal if it contains this many of the most important words. */
const IDEAL_WORDS = 10
/** The words of liked companies that are added to a query. */
const MAX_FEEDBACK_WORDS = 30
/** The share and the number of companies whose words are compared. Beyond both, common words find no candidates. */
const CANDIDATE_SHARE = 0.1
const MIN_CANDIDATES = 10_000

/** Parses texts into one query, and adjusts it to feedback. Without a working model, it has words alone. */
export async function parseWeightedQuery(
  db: Db,
  { lexicalIndex, vectors }: Indexes,
  input: WeightedText[],
  feedback: Feedback,
): Promise<WeightedQuery> {
  const [liked, disliked, embedded] = await Promise.all([
    readTexts(db, feedback.liked),
    readTexts(db, feedback.disliked),
    vectors && embedTexts(vectors, input),
  ])
  const corpus = await lexicalIndex.parseQuery(
    [...input.map(({ text }) => text), ...liked, ...disliked].join('\n'),
  )
  const texts = input.map((part, n) => ({
    ...part,
    rarity: rarityOf(corpus, part.text),
    core: rarityOf(corpus, coreOf(part.text)),
    vector: embedded?.vectors[n],
  }))
  return {
    texts,
    words: combineWords(corpus, texts, liked, disliked),
    compared: embedded && (await combineVectors(db, embedded.model, texts, feedback)),
    vectorWeight: vectors && embedded ? vectors.weight * (await vectors.embeddedShare(embedded.model)) : 0,
    documents: corpus.documents,
  }
}

async function readTexts(db: Db, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<EmbeddedFields>`
    select ${embeddedFields} from companies where id = any(${ids})`.execute(db)
  return rows.map(embeddingText)
}

/** Undefined if the model fails or has no vectors yet. */
async function embedTexts(
  { models, embedQuestions: embedQueries }: VectorSearch,
  texts: WeightedText[],
): Promise<{ model: ActiveModel; vectors: string[] } | undefined> {
  const model = await models.answering()
  if (!model) return undefined
  const vectors = await embedQueries(
    model,
    texts.map(({ text }) => text),
  ).catch(() => undefined)
  return vectors && { model, vectors }
}

/** The part before a colon, if it has several words. */
function coreOf(text: string): string {
  const [lead = ''] = text.split(/:\s/, 1)
  return /\S\s+\S/.test(lead) ? lead : text
}

function rarityOf({ weights, documents }: LexicalQuery, text: string): Numbers {
  return new Map(
    wordsOf(text).map(({ dimension }) => [dimension, weights.get(dimension) ?? wordWeight(documents, 0)]),
  )
}

/** The words of the texts by weight and rarity. Each text has the length 1, so that a long one does not dominate. */
function combineWords(
  corpus: LexicalQuery,
  texts: ParsedText[],
  liked: string[],
  disliked: string[],
): WordsQuery {
  const query = weightedSum(texts.map(({ rarity, weight }) => ({ numbers: rarity, weight })))
  const asDocument = (text: string): Numbers =>
    heaviest(
      Array.from(documentWeights(text), ([dimension, weight]) => [
        dimension,
        weight * (corpus.weights.get(dimension) ?? 0),
      ]),
    )
  const adjusted = rocchio(query, liked.map(asDocument), disliked.map(asDocument))
  const weights = new Map([...adjusted].filter(([dimension]) => corpus.weights.has(dimension)))
  const important = [...weights].filter(([, weight]) => weight > 0).sort(([, a], [, b]) => b - a)
  return {
    weights,
    maxScore: MAX_WEIGHT * important.slice(0, IDEAL_WORDS).reduce((sum, [, weight]) => sum + weight, 0),
    rare: { ...importantWords(corpus, important), bound: 0 },
  }
}

const heaviest = (entries: [number, number][]): Numbers =>
  new Map(entries.sort(([, a], [, b]) => b - a).slice(0, MAX_FEEDBACK_WORDS))

/** The most important words, such that few enough companies contain one of them. */
function importantWords(
  { frequencies, documents }: LexicalQuery,
  important: [number, number][],
): Omit<RareWords, 'bound'> {
  const maxCandidates = Math.max(MIN_CANDIDATES, documents * CANDIDATE_SHARE)
  const dimensions: number[] = []
  let frequency = 0
  for (const [dimension] of important) {
    const sum = frequency + (frequencies.get(dimension) ?? 0)
    if (sum > maxCandidates) continue
    frequency = sum
    dimensions.push(dimension)
  }
  return { dimensions, frequency }
}

async function combineVectors(
  db: Db,
  model: ActiveModel,
  texts: ParsedText[],
  { liked, disliked }: Feedback,
): Promise<ComparedVector> {
  const known = await readVectors(db, model, [...liked, ...disliked])
  const numbersOf = (ids: string[]) =>
    ids.flatMap((id) => {
      const vector = known.get(id)
      return vector ? [asNumbers(vector)] : []
    })
  const query = weightedSum(
    texts.flatMap(({ vector, weight }) => (vector ? [{ numbers: asNumbers(vector), weight }] : [])),
  )
  const adjusted = rocchio(query, numbersOf(liked), numbersOf(disliked))
  const combined = Array.from({ length: model.length }, (_value, dimension) => adjusted.get(dimension) ?? 0)
  return { model, vector: JSON.stringify(combined) }
}

const asNumbers = (vector: string): Numbers => new Map((JSON.parse(vector) as number[]).entries())

/** The nonzero numbers of a vector by dimension. */
export type Numbers = ReadonlyMap<number, number>

/** The weights of the query, the liked and the disliked documents (Manning et al., 2008, section 9.1.1). */
const ALPHA = 1
const BETA = 0.75
const GAMMA = 0.15

/**
 * Moves a query toward liked documents and away from disliked ones: α·query + β·mean(liked) − γ·mean(disliked), all of
 * them of length 1 (Rocchio, 1971; the weights are those of Manning, Raghavan and Schütze, 2008, section 9.1.1).
 */
export function rocchio(query: Numbers, liked: Numbers[], disliked: Numbers[]): Map<number, number> {
  return weightedSum([
    { numbers: query, weight: ALPHA },
    ...liked.map((numbers) => ({ numbers, weight: BETA / liked.length })),
    ...disliked.map((numbers) => ({ numbers, weight: -GAMMA / disliked.length })),
  ])
}

/** Scales each vector to its weight, and adds them up. */
function weightedSum(parts: { numbers: Numbers; weight: number }[]): Map<number, number> {
  const sum = new Map<number, number>()
  for (const { numbers, weight } of parts) {
    const vector = unitVector([...numbers.values()])
    for (const [n, dimension] of [...numbers.keys()].entries())
      sum.set(dimension, (sum.get(dimension) ?? 0) + weight * (vector[n] as number))
  }
  return sum
}
