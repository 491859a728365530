import { type ComboboxData, type ComboboxItem, MultiSelect, type MultiSelectProps } from '@mantine/core'
import {
  type FocusEvent,
  type InputEvent,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
} from 'react'
import {
  type CreateOption,
  flatOptions,
  type TakenOver,
  useTypedChoice,
  type WhichOption,
} from './use-typed-choice.ts'

export interface SearchableMultiSelectProps extends Omit<MultiSelectProps, TakenOver | 'hidePickedOptions'> {
  options: ComboboxData
  value: readonly string[]
  onChange: (values: string[]) => void
  /** Called with each text that is typed. */
  onType?: (text: string) => void
  matches?: (option: ComboboxItem, text: string) => boolean
  create?: CreateOption
  isPending?: boolean
  /** Characters that end a value, whether it is new or not. */
  separators?: string
  /** Takes what is typed, for buttons and keys that save. */
  typedValue?: RefObject<TypedValue | null>
}

export interface TypedValue {
  /**
   * Adds the value that the typed text stands for.
   * @returns all values; null if the text is unclear, which the field then shows
   */
  add: (which: WhichOption) => string[] | null
}

/** A select with an input for several of the options, or new ones if there is `create`. See `useTypedChoice`. */
export function SearchableMultiSelect({
  options,
  value,
  onChange,
  onType,
  matches,
  create,
  isPending,
  limit,
  separators = '',
  typedValue,
  ...props
}: SearchableMultiSelectProps) {
  const added = useRef<string[]>([])
  /** Texts that were entered while the options were loading. */
  const [held, setHeld] = useState<{ text: string; which: WhichOption }[]>([])
  const has = (one: string) => value.some((taken) => taken.toLowerCase() === one.toLowerCase())
  const add = (values: readonly string[]) => {
    const others = values.filter((one) => one !== '' && !has(one))
    added.current = [...value, ...others]
    if (others.length > 0) onChange(added.current)
  }
  const choice = useTypedChoice({
    options,
    shown: '',
    taken: value,
    matches,
    create,
    isPending,
    limit,
    nothingFoundMessage: props.nothingFoundMessage,
    choose: (option) => add([option.value]),
    hold: (text, which) => setHeld([...held, { text, which }]),
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the options have arrived
  useEffect(() => {
    if (isPending || held.length === 0) return
    const found = held.map(({ text, which }) => ({ text, option: choice.find(text, which) }))
    add([...new Set(found.flatMap(({ option }) => option?.value ?? []))])
    setHeld([])
    const unclear = found.flatMap(({ text, option }) => (option ? [] : [text]))
    if (unclear.length > 0) choice.reject([...unclear, choice.text].join(' ').trim())
  }, [isPending, held])
  useImperativeHandle(typedValue, () => ({
    add: (which) => {
      added.current = [...value]
      return choice.resolve(which) && held.length === 0 ? added.current : null
    },
  }))
  const type = (event: InputEvent<HTMLInputElement>) => {
    const text = event.currentTarget.value
    onType?.(text)
    const parts = text.split(new RegExp(`[${separators}]`))
    if (separators === '' || parts.length === 1) return choice.inputProps.onInput(event)
    add([...new Set(parts.map((part) => part.trim()))])
    choice.settle()
  }
  return (
    <MultiSelect
      spellCheck={false}
      {...props}
      {...choice.inputProps}
      ref={choice.input}
      data={choice.data}
      value={[...value, ...held.map(({ text }) => text)]}
      searchable
      hidePickedOptions
      filter={choice.filter}
      error={choice.problem ?? props.error}
      onInput={type}
      onChange={(shown) => {
        setHeld(held.filter(({ text }) => shown.includes(text)))
        onChange(shown.filter((one) => !held.some(({ text }) => text === one)))
      }}
      onOptionSubmit={(chosen) => {
        props.onOptionSubmit?.(chosen)
        if (flatOptions(choice.data).some((option) => option.value === chosen)) choice.settle()
      }}
      onBlur={(event: FocusEvent<HTMLInputElement>) => {
        choice.leave(event)
        if (held.length > 0) event.preventDefault()
        props.onBlur?.(event)
      }}
    />
  )
}
