import { MultiSelect, TagsInput } from '@mantine/core'
import { strings } from '#strings/filters.ts'
import { parseNumber } from '#web/words/parse-number.ts'
import classes from './filters.module.css'
import { useKnownValues } from './known-values.ts'
import { kindOf } from './operators.ts'
import type { Field } from './use-fields.ts'
import { IN_POPOVER, type ValueInputProps } from './value-props.ts'

/** Several values: chosen among the known ones, or typed where the field can have any value. */
export function ChoiceInput({ field, value, onChange, label }: ValueInputProps & { field: Field }) {
  const known = useKnownValues(field)
  const values = value === undefined ? [] : [value].flat().map(String)
  const kind = kindOf(field)
  const shared = {
    'aria-label': label,
    size: 'xs',
    value: values,
    comboboxProps: IN_POPOVER,
    maxDropdownHeight: 220,
    dir: 'auto',
    classNames: { inputField: classes.typed },
  } as const
  if (kind !== 'choice' || known.length === 0)
    return (
      <TagsInput
        {...shared}
        placeholder={values.length === 0 ? strings.enterValue : ''}
        data={known.map((option) => option.value)}
        onChange={(typed) =>
          onChange(kind === 'number' ? typed.flatMap((text) => parseNumber(text) ?? []) : typed)
        }
        limit={100}
      />
    )
  const missing = values.filter((one) => !known.some((option) => option.value === one))
  return (
    <MultiSelect
      {...shared}
      placeholder={values.length === 0 ? strings.chooseValue : ''}
      data={[...known, ...missing.map((one) => ({ value: one, label: one }))]}
      onChange={onChange}
      searchable
      hidePickedOptions
      selectFirstOptionOnChange
      nothingFoundMessage={strings.noMatches}
      limit={300}
    />
  )
}
