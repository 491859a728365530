import { Select, type SelectProps } from '@mantine/core'
import { useState } from 'react'
import { formatWord } from '#web/words/format.ts'
import { toWord } from '#web/words/word.ts'

interface WordSelectProps
  extends Omit<SelectProps, 'data' | 'value' | 'onChange' | 'searchValue' | 'onSearchChange' | 'searchable'> {
  /** The known words, in order. */
  words: readonly string[]
  value: string
  onChange: (word: string) => void
  /** The label of the option that adds a new word. */
  newWord: (label: string) => string
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
  newWord,
  labelOf = formatWord,
  notAWord,
  ...props
}: WordSelectProps) {
  const label = labelOf(value)
  const [shown, setShown] = useState({ value, label })
  const [search, setSearch] = useState(label)
  const show = (word: string) => {
    setShown({ value: word, label: labelOf(word) })
    setSearch(labelOf(word))
  }
  const isUntouched = search === shown.label
  // What arrives while someone types waits: Mantine would replace the text with it.
  if (isUntouched && (value !== shown.value || label !== shown.label)) show(value)
  const all = words.includes(shown.value) || shown.value === '' ? words : [...words, shown.value]
  const known = all.map((word) => ({
    value: word,
    label: word === shown.value ? shown.label : labelOf(word),
  }))
  const typed = toWord(search)
  const isLabel = known.some((option) => option.label.toLowerCase() === search.trim().toLowerCase())
  const isNew = typed !== null && !all.includes(typed) && !isLabel
  const options = isNew ? [...known, { value: typed, label: newWord(formatWord(typed)) }] : known
  return (
    <Select
      {...props}
      data={options}
      value={shown.value}
      onChange={(word) => {
        if (word === null) return
        show(word)
        onChange(word)
      }}
      searchable
      searchValue={search}
      onSearchChange={setSearch}
      // When it opens, it shows all words, not just the selected one.
      filter={({ options }) =>
        isUntouched
          ? options
          : options.filter(
              (option) =>
                'value' in option &&
                (option.value === typed || option.label.toLowerCase().includes(search.toLowerCase().trim())),
            )
      }
      allowDeselect={false}
      nothingFoundMessage={notAWord}
      spellCheck={false}
    />
  )
}
