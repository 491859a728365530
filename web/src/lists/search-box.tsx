import { CloseButton, Group, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { MAX_QUESTION_LENGTH } from '#src/client/limits.ts'
import { strings } from '#strings/lists.ts'
import { useActions } from '#web/keyboard/actions.ts'
import classes from './list.module.css'

const DEBOUNCE_MS = 250

interface SearchBoxProps {
  label: string
  placeholder: string
  /** The heading in the keyboard help. */
  group: string
  /** The query in the address. */
  q: string | undefined
  /** Searches for a text. */
  search: (q: string | undefined, options: { replace: boolean }) => void
  inputRef: RefObject<HTMLInputElement | null>
  /** Moves the focus into the list. */
  enterList: () => void
  /** Beside the box. */
  children?: ReactNode
}

/** Keeps the text in local state and searches after a pause, so that typing stays responsive. */
export function SearchBox(props: SearchBoxProps) {
  const { label, placeholder, group, q = '', search, inputRef, enterList, children } = props
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
    search(query || undefined, { replace })
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
      label: strings.clearSearchKey,
      group,
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
        aria-label={label}
        aria-keyshortcuts="/"
        placeholder={placeholder}
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
      {children}
    </Group>
  )
}
