import { stemmer } from 'stemmer'

/** Stands for how texts become vectors; another name makes all of them anew. */
export const LEXICAL_MODEL = 'builtin-1'

/** The dimensions that words are hashed into: so many that two words of a text hardly ever meet. */
export const LEXICAL_DIMENSIONS = 2 ** 20

/** BM25's saturation and length normalisation, and a usual length of a text, in words. */
const K1 = 1.2
const B = 0.75
const USUAL_LENGTH = 75

/** Of a longer text only so many words count: a sparse vector of pgvector has at most 16,000 elements. */
const MAX_WORDS = 15_000

/** The most that a word can weigh in a document. */
export const MAX_WEIGHT = K1 + 1

/** Scripts without spaces between words: there each pair of neighbouring characters counts as a word. */
const SCRIPTS = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Thai}`
const UNSPACED = new RegExp(`[${SCRIPTS}]`, 'v')
const RUN = new RegExp(
  String.raw`[${SCRIPTS}]+|[[\p{L}\p{N}]--[${SCRIPTS}]][[\p{L}\p{M}\p{N}]--[${SCRIPTS}]]*`,
  'gv',
)

export interface Word {
  /** As it stands in the text. */
  text: string
  /** From 0 to `LEXICAL_DIMENSIONS - 1`; the same for words that differ in case, accents or an English ending. */
  dimension: number
}

/** Words that say nothing of what a question is about: Lucene's list for English (EnglishAnalyzer). */
const STOP_WORDS = new Set(
  `a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was
  will with`.split(/\s+/),
)

/** The words of a question, in its order: those that say what it is about, where there are some. */
export function wordsOf(text: string): Word[] {
  const runs = runsOf(text)
  const telling = runs.filter((run) => !STOP_WORDS.has(run.toLowerCase()))
  return (telling.length > 0 ? telling : runs)
    .flatMap((run) => (UNSPACED.test(run) ? pairsOf(run) : [run]))
    .map(asWord)
}

/** The words of a document: where words are not spaced, single characters too, as a question may be of one. */
const documentWordsOf = (text: string): Word[] =>
  runsOf(text)
    .flatMap((run) => (UNSPACED.test(run) && run.length > 1 ? [...pairsOf(run), ...run] : [run]))
    .map(asWord)

/** What stands together: letters and digits, apart where a script without spaces begins or ends. */
const runsOf = (text: string): string[] => text.normalize('NFC').match(RUN) ?? []

/** Most words of a text have been met before, and to find a word's stem takes longer than to look it up. */
const dimensions = new Map<string, number>()
const MAX_CACHED_ENTRIES = 50_000
/** In V8 a longer part of a text keeps the whole text in memory. */
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

/** Without case and accents, and without the endings of English words (Porter's algorithm). */
function stemOf(word: string): string {
  const plain = word.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return /^[a-z]+$/.test(plain) ? stemmer(plain) : plain
}

/** The hash FNV-1a of 32 bits, folded to the dimensions. */
function dimensionOf(word: string): number {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(word)) hash = Math.imul(hash ^ byte, 0x01000193)
  return ((hash >>> 20) ^ hash) & (LEXICAL_DIMENSIONS - 1)
}

/** A weight for each dimension that is not 0. */
export type SparseVector = ReadonlyMap<number, number>

/**
 * How much each word of a document weighs: the part of BM25 that does not depend on other documents (Robertson and
 * Zaragoza, 2009, equation 3.15), with a constant in place of their average length. So it never has to be made again
 * when others come or go.
 */
export function documentWeights(text: string): SparseVector {
  const words = documentWordsOf(text).slice(0, MAX_WORDS)
  const counts = new Map<number, number>()
  for (const { dimension } of words) counts.set(dimension, (counts.get(dimension) ?? 0) + 1)
  const length = K1 * (1 - B + (B * words.length) / USUAL_LENGTH)
  return new Map(Array.from(counts, ([dimension, n]) => [dimension, (n * (K1 + 1)) / (n + length)]))
}

/**
 * How much a word tells: the rarer, the more (the inverse document frequency of BM25, as Lucene has it, never below 0).
 * @param documents how many documents there are
 * @param having how many of them have the word
 */
export const wordWeight = (documents: number, having: number): number =>
  Math.log(1 + (documents - having + 0.5) / (having + 0.5))

/** As pgvector reads it: `{dimension:weight,…}/dimensions`, counted from 1. */
export const toSparsevec = (vector: SparseVector): string =>
  `{${Array.from(vector, ([dimension, weight]) => `${dimension + 1}:${weight}`).join(',')}}/${LEXICAL_DIMENSIONS}`
