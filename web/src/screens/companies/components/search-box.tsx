import { CloseButton, Group, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { MAX_QUESTION_LENGTH } from '#src/client/limits.ts'
import { strings } from '#strings/companies.ts'
import { strings as keyboard } from '#strings/keyboard.ts'
import { useActions } from '#web/keyboard/actions.ts'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import type { CompaniesSearch } from '../companies-search.ts'
import type { ChangeSearch } from '../hooks/use-company-list.ts'
import classes from './companies.module.css'

const DEBOUNCE_MS = 250

interface SearchBoxProps {
  search: CompaniesSearch
  change: ChangeSearch
  inputRef: RefObject<HTMLInputElement | null>
  /** Whether a model answers. */
  hasModel: boolean
  /** Moves the focus into the list. */
  enterList: () => void
}

/** Keeps the text in local state and searches after a pause, so that typing stays responsive. */
export function SearchBox({ search, change, inputRef, hasModel, enterList }: SearchBoxProps) {
  const { q = '', by } = search
  const [text, setText] = useState(q)
  const submitted = useRef(q)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  // The address can change while text is in the box: by back, forward, or a link.
  useEffect(() => {
    if (q === submitted.current) return
    clearTimeout(timer.current)
    submitted.current = q
    setText(q)
  }, [q])
  useEffect(() => () => clearTimeout(timer.current), [])

  const submit = (typed: string) => {
    clearTimeout(timer.current)
    const query = typed.trim()
    if (query === submitted.current) return
    // One history entry per search, not one per pause in typing.
    const replace = submitted.current !== '' && query !== ''
    submitted.current = query
    change({ q: query || undefined }, { replace })
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
  }
  useActions([
    {
      id: 'clear-search',
      label: keyboard.clearSearch,
      group: keyboard.list,
      keys: ['Escape'],
      run: text === '' ? enterList : clear,
      field: inputRef,
      isHidden: true,
    },
  ])
  return (
    <Group gap="xs" className={classes.search}>
      <TextInput
        ref={inputRef}
        size="xs"
        type="text"
        role="searchbox"
        aria-label={strings.search}
        aria-keyshortcuts="/"
        placeholder={by ? strings.semanticPlaceholder : strings.keywordPlaceholder}
        maxLength={MAX_QUESTION_LENGTH}
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
        size="xs"
        className={classes.searchBy}
        aria-label={strings.searchMode}
        value={by ?? 'keyword'}
        onChange={(chosen) => change({ by: chosen === 'semantic' ? 'semantic' : undefined })}
        data={[
          { value: 'keyword', label: strings.keyword },
          { value: 'semantic', label: hasModel ? strings.semantic : strings.bestMatch },
        ]}
      />
    </Group>
  )
}
