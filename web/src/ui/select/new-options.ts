import { strings } from '#strings/general.ts'
import { formatWord } from '#web/format/format.ts'
import { toWord } from '#web/format/word.ts'

/** The option that adds a word to an open vocabulary, such as a status; null if the text cannot be a word. */
export function newWord(
  text: string,
  labelOf: (word: string) => string = strings.createOption,
): { value: string; label: string } | null {
  const word = toWord(text)
  return word === null ? null : { value: word, label: labelOf(formatWord(word)) }
}

/** The option that adds a text, such as an industry. */
export const newText = (text: string): { value: string; label: string } => ({
  value: text,
  label: strings.createOption(text),
})
