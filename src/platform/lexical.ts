import { stemmer } from 'stemmer'
import { withoutAccents } from './accents.ts'

/** Identifies how texts become vectors; changing it rebuilds all of them. */
export const LEXICAL_MODEL = 'builtin-1'

/** The number of dimensions that words are hashed into: large enough that collisions within a text are rare. */
export const LEXICAL_DIMENSIONS = 2 ** 20

/** BM25's parameters for saturation and length normalization, and an average text length in words. */
const K1 = 1.2
const B = 0.75
const AVERAGE_LENGTH = 75

/** The maximum number of words that count: a pgvector sparse vector has at most 16,000 elements. */
const MAX_WORDS = 15_000

/** The upper bound of a word's weight in a document. */
export const MAX_WEIGHT = K1 + 1

/** Scripts without spaces between words: each pair of adjacent characters counts as a word. */
const SCRIPTS = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Thai}`
const UNSPACED = new RegExp(`[${SCRIPTS}]`, 'v')
const RUN = new RegExp(
  String.raw`[${SCRIPTS}]+|[[\p{L}\p{N}]--[${SCRIPTS}]][[\p{L}\p{M}\p{N}]--[${SCRIPTS}]]*`,
  'gv',
)

export interface Word {
  /** The word as it appears in the text. */
  text: string
  /** From 0 to `LEXICAL_DIMENSIONS - 1`. Words that differ only in case, accents or an English ending share it. */
  dimension: number
}

/** Lucene's English stop words (EnglishAnalyzer). */
const STOP_WORDS = new Set(
  `a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was
  will with`.split(/\s+/),
)

/** The words of a query, in their order, without stop words unless there are no others. */
export function wordsOf(text: string): Word[] {
  const runs = runsOf(text)
  const meaningful = runs.filter((run) => !STOP_WORDS.has(run.toLowerCase()))
  return (meaningful.length > 0 ? meaningful : runs)
    .flatMap((run) => (UNSPACED.test(run) ? pairsOf(run) : [run]))
    .map(asWord)
}

/**
 * The words of a document. In scripts without spaces, single characters are added, because a query may be one
 * character.
 */
const documentWordsOf = (text: string): Word[] =>
  runsOf(text)
    .flatMap((run) => (UNSPACED.test(run) && run.length > 1 ? [...pairsOf(run), ...run] : [run]))
    .map(asWord)

/** Runs of letters and digits, split where a script without spaces starts or ends. */
const runsOf = (text: string): string[] => text.normalize('NFC').match(RUN) ?? []

/** Caches dimensions, because stemming takes longer than a lookup and most words repeat. */
const dimensions = new Map<string, number>()
const MAX_CACHED_ENTRIES = 50_000
/** In V8, a longer substring keeps the whole text in memory. */
const MAX_CACHED_WORD_LENGTH = 12

function asWord(text: string): Word {
  const known = dimensions.get(text)
  if (known !== undefined) return { text, dimension: known }
  const dimension = dimensionOf(stemOf(text))
  if (text.length > MAX_CACHED_WORD_LENGTH) return { text, dimension }
  if (dimensions.size >= MAX_CACHED_ENTRIES) dimensions.clear()
  dimensions.set(text, dimension)
  return { text, dimension }
}

function pairsOf(run: string): string[] {
  const characters = [...run]
  if (characters.length === 1) return characters
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`)
}

/** Folds case and accents, and removes the endings of English words (Porter's algorithm). */
function stemOf(word: string): string {
  const plain = withoutAccents(word).toLowerCase()
  return /^[a-z]+$/.test(plain) ? stemmer(plain) : plain
}

/** The 32-bit FNV-1a hash, folded to the number of dimensions. */
function dimensionOf(word: string): number {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(word)) hash = Math.imul(hash ^ byte, 0x01000193)
  return ((hash >>> 20) ^ hash) & (LEXICAL_DIMENSIONS - 1)
}

/** The weights of the nonzero dimensions. */
export type SparseVector = ReadonlyMap<number, number>

/**
 * The weight of each word in a document: the part of BM25 that does not depend on other documents (Robertson and
 * Zaragoza, 2009, equation 3.15), with a constant average length. So the vector stays valid when other documents come
 * or go.
 */
export function documentWeights(text: string): SparseVector {
  const words = documentWordsOf(text).slice(0, MAX_WORDS)
  const counts = new Map<number, number>()
  for (const { dimension } of words) counts.set(dimension, (counts.get(dimension) ?? 0) + 1)
  const length = K1 * (1 - B + (B * words.length) / AVERAGE_LENGTH)
  return new Map(Array.from(counts, ([dimension, n]) => [dimension, (n * (K1 + 1)) / (n + length)]))
}

/**
 * The inverse document frequency of a word, as in Lucene's BM25, never below 0.
 * @param documents the number of documents
 * @param having how many of them contain the word
 */
export const wordWeight = (documents: number, having: number): number =>
  Math.log(1 + (documents - having + 0.5) / (having + 0.5))

/** pgvector's text format: `{dimension:weight,…}/dimensions`, counted from 1. */
export const toSparsevec = (vector: SparseVector): string =>
  `{${Array.from(vector, ([dimension, weight]) => `${dimension + 1}:${weight}`).join(',')}}/${LEXICAL_DIMENSIONS}`
