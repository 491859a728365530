import { truncate } from '#src/client/limits.ts'
import { lazily } from './lazily.ts'

const sentences = lazily(() => new Intl.Segmenter(undefined, { granularity: 'sentence' }))

const MAX_LENGTH = 240

/** The first sentence of a text, in one line. */
export function firstSentence(text: string): string {
  const line = text.slice(0, 2000).replace(/\s+/g, ' ').trim()
  const [first] = sentences().segment(line)
  return truncate(first?.segment.trim() ?? '', MAX_LENGTH)
}
