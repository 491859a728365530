import { MultiSelect, TagsInput } from '@mantine/core'
import { useState } from 'react'
import { strings } from '#strings/filters.ts'
import { strings as general } from '#strings/general.ts'
import { parseNumber } from '#web/words/parse-number.ts'
import classes from './filters.module.css'
import { useKnownValues } from './known-values.ts'
import { kindOf } from './operators.ts'
import type { Field } from './use-fields.ts'
import { IN_POPOVER, type ValueInputProps } from './value-props.ts'

type ChoiceInputProps = ValueInputProps & { field: Field }

/** Several values: chosen among the known ones, or typed where the field can have any value. */
export const ChoiceInput = (props: ChoiceInputProps) =>
  kindOf(props.field) === 'choice' ? <ChosenValues {...props} /> : <TypedValues {...props} />

const sharedProps = ({ value, label }: ValueInputProps) =>
  ({
    'aria-label': label,
    size: 'xs',
    value: value === undefined ? [] : [value].flat().map(String),
    comboboxProps: IN_POPOVER,
    dir: 'auto',
    classNames: { inputField: classes.typed },
  }) as const

function TypedValues({ field, onChange, ...props }: ChoiceInputProps) {
  const shared = sharedProps({ ...props, onChange })
  return (
    <TagsInput
      {...shared}
      placeholder={shared.value.length === 0 ? strings.enterValue : ''}
      onChange={(typed) =>
        onChange(kindOf(field) === 'number' ? typed.flatMap((text) => parseNumber(text) ?? []) : typed)
      }
      limit={100}
    />
  )
}

/** The same input while the options are loading: what is being typed stays. */
function ChosenValues({ field, onChange, ...props }: ChoiceInputProps) {
  const known = useKnownValues(field)
  const [search, setSearch] = useState('')
  const [hasChosen, setChosen] = useState(false)
  const shared = sharedProps({ ...props, onChange })
  const isFree = known?.length === 0
  const others = new Set([...shared.value, ...(isFree && search.trim() !== '' ? [search.trim()] : [])])
  for (const { value } of known ?? []) others.delete(value)
  /** Adds what was typed, which may be several values. */
  const add = (text: string) => {
    const typed = new Set([...shared.value, ...text.split(',').flatMap((value) => value.trim() || [])])
    if (typed.size > shared.value.length) onChange([...typed])
    setSearch('')
  }
  return (
    <MultiSelect
      {...shared}
      placeholder={shared.value.length > 0 ? '' : isFree ? strings.enterValue : strings.chooseValue}
      data={[...(known ?? []), ...[...others].map((value) => ({ value, label: value }))]}
      onChange={onChange}
      searchable
      searchValue={search}
      onSearchChange={(text) => {
        if (text !== '') setChosen(false)
        if (isFree && text.includes(',')) add(text)
        else setSearch(text)
      }}
      onOptionSubmit={() => setChosen(true)}
      onBlur={() => isFree && add(search)}
      hidePickedOptions
      // Also when they arrive after the text, but not after a choice: another Enter would choose the next one.
      selectFirstOptionOnChange={known !== undefined && !hasChosen}
      nothingFoundMessage={known ? !isFree && strings.noMatches : general.loading}
      limit={300}
    />
  )
}
