import { CloseButton, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useState } from 'react'

const DEBOUNCE_MS = 250

interface SearchFieldProps {
  /** The search in the address. */
  value: string
  search: (text: string) => void
  label: string
  clearLabel: string
  placeholder?: string
}

/** Searches a list a moment after the last key. */
export function SearchField({ value, search, label, clearLabel, placeholder = label }: SearchFieldProps) {
  const [text, setText] = useState(value)
  // The address may change the search, for example when going back.
  useEffect(() => setText(value), [value])
  const searchSoon = useDebouncedCallback(search, DEBOUNCE_MS)
  const type = (typed: string) => {
    setText(typed)
    searchSoon(typed.trim())
  }
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={placeholder}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={text && <CloseButton size="sm" aria-label={clearLabel} onClick={() => type('')} />}
      value={text}
      onChange={(event) => type(event.currentTarget.value)}
      maw={400}
    />
  )
}
