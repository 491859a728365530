import { wordWeight } from '#src/platform/lexical.ts'
import type { EvaluatedCompany } from './tasks.ts'

const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** The baseline: BM25 in memory over the same texts, with their actual average length. */
export function bm25(companies: EvaluatedCompany[], depth: number): (q: string) => Promise<string[]> {
  const documents = companies.map(({ name, description }) => wordsOf(`${name}\n${description}`))
  const average = documents.reduce((sum, { length }) => sum + length, 0) / documents.length
  const postings = new Map<string, { document: number; weight: number }[]>()
  for (const [document, found] of documents.entries()) {
    const counts = new Map<string, number>()
    for (const word of found) counts.set(word, (counts.get(word) ?? 0) + 1)
    for (const [word, n] of counts) {
      const weight = (n * 2.2) / (n + 1.2 * (0.25 + (0.75 * found.length) / average))
      const posting = { document, weight }
      const known = postings.get(word)
      if (known) known.push(posting)
      else postings.set(word, [posting])
    }
  }
  return async (q) => {
    const scores = new Map<number, number>()
    for (const word of new Set(wordsOf(q))) {
      const having = postings.get(word) ?? []
      for (const { document, weight } of having)
        scores.set(
          document,
          (scores.get(document) ?? 0) + weight * wordWeight(documents.length, having.length),
        )
    }
    const best = [...scores].sort(([, a], [, b]) => b - a).slice(0, depth)
    return best.map(([document]) => companies[document]?.id ?? '')
  }
}
