/** A piece of a word and the logarithm of its probability. */
export type VocabularyEntry = readonly [piece: string, score: number]

/** The first ids of a vocabulary stand for things other than text. */
const RESERVED_IDS = 6
const UNKNOWN_ID = 0
/** How much less likely a character outside the vocabulary is than the rarest piece. */
const UNKNOWN_PENALTY = 10
/** Stands for a space, and starts every text. */
const SPACE = '▁'

/** Splits a text into the ids of pieces of words. */
export type Tokenize = (text: string) => number[]

/** A SentencePiece tokenizer: splits a text into its most likely pieces (a unigram model, by Viterbi's algorithm). */
export function createTokenizer(vocabulary: readonly VocabularyEntry[]): Tokenize {
  const pieces = new Map<string, { id: number; score: number }>()
  let [maxLength, minScore] = [1, 0]
  for (const [id, [piece, score]] of vocabulary.entries()) {
    if (id < RESERVED_IDS) continue
    pieces.set(piece, { id, score })
    maxLength = Math.max(maxLength, [...piece].length)
    minScore = Math.min(minScore, score)
  }
  const unknown = { id: UNKNOWN_ID, score: minScore - UNKNOWN_PENALTY }

  /** The best last piece of the text that ends before `end`. */
  const lastPiece = (characters: string[], end: number, best: Split[]): Split => {
    let piece = characters[end - 1] as string
    const single = pieces.get(piece) ?? unknown
    let found = { start: end - 1, id: single.id, score: (best[end - 1]?.score ?? 0) + single.score }
    for (let start = end - 2; start >= Math.max(0, end - maxLength); start--) {
      piece = characters[start] + piece
      const known = pieces.get(piece)
      const score = known && (best[start]?.score ?? 0) + known.score
      if (score !== undefined && score > found.score) found = { start, id: known?.id ?? UNKNOWN_ID, score }
    }
    return found
  }

  return (text) => {
    const normalized = text.normalize('NFKC').trim().replace(/\s+/g, SPACE)
    const characters = normalized ? [...`${SPACE}${normalized}`] : []
    const best: Split[] = [{ start: 0, id: UNKNOWN_ID, score: 0 }]
    for (let end = 1; end <= characters.length; end++) best.push(lastPiece(characters, end, best))
    return idsOf(best)
  }
}

/** The last piece of the beginning of a text, and the score of that beginning. */
interface Split {
  start: number
  id: number
  score: number
}

/** The ids in their order. A run of unknown characters becomes one. */
function idsOf(best: Split[]): number[] {
  const ids: number[] = []
  for (let end = best.length - 1; end > 0; ) {
    const { start, id } = best[end] as Split
    if (id !== UNKNOWN_ID || ids.at(-1) !== UNKNOWN_ID) ids.push(id)
    end = start
  }
  return ids.reverse()
}
