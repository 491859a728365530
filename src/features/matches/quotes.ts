import { type EmbeddedFields, shareOf } from '#src/features/search/index.ts'
import { wordsOf } from '#src/platform/lexical.ts'
import { truncate } from '#src/platform/truncate.ts'
import { sentencesOf } from './criteria.ts'

/** The rest of a long description is not quoted. */
const MAX_DESCRIPTION_LENGTH = 5000
const MAX_QUOTE_LENGTH = 300

interface Sentence {
  text: string
  dimensions: ReadonlySet<number>
}

/** What a company can be quoted with: the sentences of its description, then its industry, name and location. */
export function quotableSentences(company: EmbeddedFields): Sentence[] {
  const { name, industry_category, activity_description, hq_city, country } = company
  const texts = [
    ...sentencesOf((activity_description ?? '').slice(0, MAX_DESCRIPTION_LENGTH)),
    ...[industry_category ?? '', name, [hq_city, country].filter(Boolean).join(', ')].filter(Boolean),
  ]
  return texts.map((text) => ({
    text,
    dimensions: new Set(wordsOf(text).map(({ dimension }) => dimension)),
  }))
}

/**
 * The sentence with most of the words, by their rarity. If none has any of them, the first sentence: descriptions begin
 * with what the company does.
 */
export function bestQuote(sentences: Sentence[], rarity: ReadonlyMap<number, number>): string | null {
  let best = { share: 0, text: sentences[0]?.text ?? null }
  for (const { text, dimensions } of sentences) {
    const share = shareOf(rarity, dimensions)
    if (share > best.share) best = { share, text }
  }
  return best.text && truncate(best.text, MAX_QUOTE_LENGTH)
}
