import {
  type ComboboxData,
  type ComboboxItem,
  getParsedComboboxData,
  Select,
  type SelectProps,
} from '@mantine/core'
import { useMergedRef } from '@mantine/hooks'
import { type FocusEvent, type RefObject, useImperativeHandle } from 'react'
import {
  type CreateOption,
  flatOptions,
  type TakenOver,
  useTypedChoice,
  type WhichOption,
} from './use-typed-choice.ts'

export interface SearchableSelectProps extends Omit<SelectProps, TakenOver | 'allowDeselect'> {
  options: ComboboxData
  value: string | null
  /** Called when another option is chosen, or with null when the field is cleared. */
  onChange: (value: string | null, option: ComboboxItem | null) => void
  /** Called with each text that is typed. */
  onType?: (text: string) => void
  matches?: (option: ComboboxItem, text: string) => boolean
  create?: CreateOption
  isPending?: boolean
  /** Takes what is typed, for popovers that close. Returns whether they may: if it is unclear, the field shows that. */
  resolveTyped?: RefObject<((which: WhichOption) => boolean) | null>
}

/** A select with an input: one of the options, or a new one if there is `create`. See `useTypedChoice` for the keys. */
export function SearchableSelect({
  options,
  value,
  onChange,
  onType,
  matches,
  create,
  isPending,
  limit,
  resolveTyped,
  ref,
  ...props
}: SearchableSelectProps) {
  const choice = useTypedChoice({
    options,
    shown:
      flatOptions(getParsedComboboxData<string>(options)).find((option) => option.value === value)?.label ??
      '',
    matches,
    create,
    isPending,
    limit,
    nothingFoundMessage: props.nothingFoundMessage,
    choose: (option) => {
      props.onOptionSubmit?.(option.value)
      if (option.value !== value) onChange(option.value, option)
    },
  })
  useImperativeHandle(resolveTyped, () => (which) => {
    const isResolved = choice.resolve(which)
    // A click outside has taken the focus.
    if (!isResolved) setTimeout(() => choice.input.current?.focus())
    return isResolved
  })
  /** Deleting the text of a field that may be empty clears it. */
  const clearEmptied = () => {
    if (props.clearable && value !== null && choice.inputProps.searchValue.trim() === '') onChange(null, null)
  }
  const { onInput } = choice.inputProps
  return (
    <Select
      spellCheck={false}
      {...props}
      {...choice.inputProps}
      ref={useMergedRef(choice.input, ref)}
      data={choice.data}
      value={value}
      searchable
      allowDeselect={false}
      filter={choice.filter}
      error={choice.problem ?? props.error}
      onInput={(event) => {
        onInput(event)
        onType?.(event.currentTarget.value)
      }}
      onOptionSubmit={(chosen) => {
        const option = flatOptions(choice.data).find((option) => option.value === chosen)
        if (option) choice.take(option)
      }}
      onChange={(chosen) => chosen === null && onChange(null, null)}
      onClear={choice.settle}
      onKeyDown={(event) => {
        if (event.key === 'Enter') clearEmptied()
        props.onKeyDown?.(event)
      }}
      onBlur={(event: FocusEvent<HTMLInputElement>) => {
        clearEmptied()
        choice.leave(event)
        props.onBlur?.(event)
      }}
    />
  )
}
