const NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']

/** A small number as a word. */
const inWords = (count: number): string => NUMBERS[count] ?? count.toLocaleString('en')

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** A criterion in a sentence: `thesis_fit` becomes `thesis fit`. */
const inSentence = (criterion: string): string => criterion.replaceAll('_', ' ')

const lists = new Intl.ListFormat('en', { type: 'conjunction' })

/** Says that quotes were left out because they prove nothing. */
export function removedQuotes(criterion: string, removed: number, all: number): string {
  const about = inSentence(criterion)
  if (all === 1) return `The quote about ${about} does not support the score, so it was left out.`
  if (removed === all)
    return `${all === 2 ? 'Neither of the two' : `None of the ${inWords(all)}`} quotes about ${about} supports the score, so they were left out.`
  const [verb, what] = removed === 1 ? ['does', 'it was'] : ['do', 'they were']
  return `${capitalized(inWords(removed))} of ${inWords(all)} quotes about ${about} ${verb} not support the score, so ${what} left out.`
}

/** Says that a score was lowered because nothing supports it. */
export const loweredScore = (criterion: string, from: number, to: number): string =>
  `The score for ${inSentence(criterion)} was lowered from ${from} to ${to} because no quote from the record supports it.`

/** Why rules gave a score: what the record says, and the words it mentions. */
export function ruleReason(facts: readonly string[], quotes: readonly string[]): string {
  const mentioned = quotes.map((words) => `“${words}”`)
  return (
    [
      ...(facts.length > 0 ? [`The company ${lists.format(facts)}.`] : []),
      ...(mentioned.length > 0 ? [`Its description mentions ${lists.format(mentioned)}.`] : []),
    ].join(' ') || 'The record says nothing about this.'
  )
}
