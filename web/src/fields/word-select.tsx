import { foldText } from '#src/client/limits.ts'
import { formatWord } from '#web/format/format.ts'
import { toWord } from '#web/format/word.ts'
import { newWord } from '#web/ui/select/new-options.ts'
import { SearchableSelect, type SearchableSelectProps } from '#web/ui/select/searchable-select.tsx'

interface WordSelectProps
  extends Omit<SearchableSelectProps, 'options' | 'value' | 'onChange' | 'onType' | 'matches' | 'create'> {
  /** The known words, in order. */
  words: readonly string[]
  value: string
  onChange: (word: string) => void
  /** The label of the option that adds a new word. */
  newWordLabel?: (label: string) => string
  /** The label of a word, if it is not the word itself. */
  labelOf?: (word: string) => string
  /** Shown when the text cannot be a word. */
  notAWord: string
}

/** Selects one of the known words of an open vocabulary, or adds a new one. */
export function WordSelect({
  words,
  value,
  onChange,
  newWordLabel,
  labelOf = formatWord,
  notAWord,
  ...props
}: WordSelectProps) {
  const all = words.includes(value) || value === '' ? words : [...words, value]
  return (
    <SearchableSelect
      {...props}
      options={all.map((word) => ({ value: word, label: labelOf(word) }))}
      value={value}
      onChange={(word) => word !== null && onChange(word)}
      matches={({ value: word, label }, text) => word === toWord(text) || foldText(label).includes(text)}
      create={(text) => newWord(text, newWordLabel)}
      nothingFoundMessage={notAWord}
    />
  )
}
