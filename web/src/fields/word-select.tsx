import { Select, type SelectProps } from '@mantine/core'
import { useEffect, useState } from 'react'
import { formatWord } from '#web/words/format.ts'

interface WordSelectProps
  extends Omit<SelectProps, 'data' | 'value' | 'onChange' | 'searchValue' | 'onSearchChange' | 'searchable'> {
  /** The known words, in their order. */
  words: readonly string[]
  value: string
  onChange: (word: string) => void
  /** The option that takes what was typed as a word of its own. */
  newWord: (label: string, word: string) => string
  /** Said of what cannot be a word. */
  notAWord: string
}

const WORD = /^[a-z][a-z0-9_]{0,63}$/

/** What was typed as a lower_snake_case word: `Due diligence` as `due_diligence`; null: it cannot be one. */
export function toWord(text: string): string | null {
  const word = text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, '_')
  return WORD.test(word) ? word : null
}

/** Chooses one of the known words of an open vocabulary, or a new one. */
export function WordSelect({ words, value, onChange, newWord, notAWord, ...props }: WordSelectProps) {
  const [search, setSearch] = useState(formatWord(value))
  useEffect(() => setSearch(formatWord(value)), [value])
  const all = words.includes(value) || value === '' ? words : [...words, value]
  const known = all.map((word) => ({ value: word, label: formatWord(word) }))
  const typed = toWord(search)
  const isNew = typed !== null && !all.includes(typed)
  const options = isNew ? [...known, { value: typed, label: newWord(formatWord(typed), typed) }] : known
  const isUntouched = search === formatWord(value)
  return (
    <Select
      {...props}
      data={options}
      value={value}
      onChange={(word) => word !== null && onChange(word)}
      searchable
      searchValue={search}
      onSearchChange={setSearch}
      // Opened, it shows all words, not only the one that is chosen.
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
      maxDropdownHeight={280}
      spellCheck={false}
    />
  )
}
