import { CloseButton, Group, SegmentedControl, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { strings } from '#strings/companies.ts'
import classes from './companies.module.css'
import type { CompaniesSearch } from './companies-search.ts'
import type { ChangeSearch } from './use-company-list.ts'

const DEBOUNCE_MS = 250

interface SearchBoxProps {
  search: CompaniesSearch
  change: ChangeSearch
  inputRef: RefObject<HTMLInputElement | null>
}

/** What is typed is kept here; the list hears of it after a pause, so that typing waits for nothing. */
export function SearchBox({ search, change, inputRef }: SearchBoxProps) {
  const { q = '', by } = search
  const [text, setText] = useState(q)
  const submitted = useRef(q)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  // Back, forward, and links change the address under what was typed.
  useEffect(() => {
    if (q === submitted.current) return
    clearTimeout(timer.current)
    submitted.current = q
    setText(q)
  }, [q])
  useEffect(() => () => clearTimeout(timer.current), [])

  const submit = (typed: string) => {
    clearTimeout(timer.current)
    const wanted = typed.trim()
    if (wanted === submitted.current) return
    // One step of the history for a search, not one for each pause in typing.
    const replace = submitted.current !== '' && wanted !== ''
    submitted.current = wanted
    change({ q: wanted || undefined }, { replace })
  }
  const type = (typed: string) => {
    setText(typed)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => submit(typed), DEBOUNCE_MS)
  }
  const clear = () => {
    setText('')
    submit('')
  }
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter') submit(text)
    if (event.key !== 'Escape' || text === '') return
    event.preventDefault()
    clear()
  }
  return (
    <Group gap="xs" className={classes.search}>
      <TextInput
        ref={inputRef}
        type="text"
        role="searchbox"
        aria-label={strings.search}
        aria-keyshortcuts="/"
        placeholder={by ? strings.searchMeaning : strings.searchWords}
        maxLength={1000}
        value={text}
        onChange={(event) => type(event.currentTarget.value)}
        onKeyDown={press}
        dir="auto"
        leftSection={<IconSearch size={16} aria-hidden />}
        rightSection={
          text !== '' && (
            <CloseButton
              size="sm"
              aria-label={strings.clearSearch}
              onClick={() => {
                clear()
                inputRef.current?.focus()
              }}
            />
          )
        }
        style={{ flex: '1 1 14rem', minWidth: 0 }}
      />
      <SegmentedControl
        size="sm"
        className={classes.searchBy}
        aria-label={strings.searchBy}
        value={by ?? 'words'}
        onChange={(chosen) => change({ by: chosen === 'meaning' ? 'meaning' : undefined })}
        data={[
          { value: 'words', label: strings.words },
          { value: 'meaning', label: strings.meaning },
        ]}
      />
    </Group>
  )
}
