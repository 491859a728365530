import { strings } from '#strings/filters.ts'
import { parseNumber } from '#web/format/parse-number.ts'
import { SearchableMultiSelect } from '#web/ui/select/searchable-multi-select.tsx'
import classes from './filters.module.css'
import { useKnownValues } from './known-values.ts'
import { kindOf } from './operators.ts'
import type { Field } from './use-fields.ts'
import { IN_POPOVER, type ValueInputProps } from './value-props.ts'

type ChoiceInputProps = ValueInputProps & { field: Field }

const asOption = (value: string) => ({ value, label: value })
const asNumber = (text: string) => (parseNumber(text) === undefined ? null : asOption(text))

/** Several values: chosen among the known ones, or typed where the field can have any value. */
export function ChoiceInput({ field, value, onChange, label }: ChoiceInputProps) {
  const isChoice = kindOf(field) === 'choice'
  const isNumber = kindOf(field) === 'number'
  const found = useKnownValues(isChoice ? field : undefined)
  const values = value === undefined ? [] : [value].flat().map(String)
  const known = found ?? []
  const isFree = found?.length === 0
  const others = values.filter((one) => !known.some((option) => option.value === one))
  return (
    <SearchableMultiSelect
      aria-label={label}
      size="xs"
      placeholder={values.length > 0 ? '' : isFree ? strings.enterValue : strings.chooseValue}
      options={[...known, ...others.map(asOption)]}
      isPending={found === undefined}
      value={values}
      onChange={(chosen) => onChange(isNumber ? chosen.flatMap((text) => parseNumber(text) ?? []) : chosen)}
      {...(isFree && { create: isNumber ? asNumber : asOption, ...(!isNumber && { separators: ',' }) })}
      comboboxProps={IN_POPOVER}
      dir="auto"
      classNames={{ inputField: classes.typed ?? '' }}
    />
  )
}
