import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { strings } from '#strings/filters.ts'
import { useCompanySearch } from '#web/fields/company-select.tsx'
import { SearchableMultiSelect } from '#web/ui/select/searchable-multi-select.tsx'
import classes from './filters.module.css'
import { useCompanyNames } from './use-names.ts'
import { IN_POPOVER, type ValueInputProps } from './value-props.ts'

const DEBOUNCE_MS = 250

/** Several companies, found by part of their names. */
export function CompanyChoice({ value, onChange, label }: ValueInputProps) {
  const [text, setText] = useState('')
  const [settled] = useDebouncedValue(text.trim(), DEBOUNCE_MS)
  const { records, isFetching } = useCompanySearch(settled.slice(0, 200))
  const chosen = value === undefined ? [] : [value].flat().map(String)
  const names = useCompanyNames(chosen)
  const found = new Set(records.map(({ id }) => id))
  const others = chosen.filter((id) => !found.has(id))
  return (
    <SearchableMultiSelect
      aria-label={label}
      size="xs"
      placeholder={chosen.length > 0 ? '' : strings.chooseValue}
      options={[
        ...records.map(({ id, name }) => ({ value: id, label: name })),
        ...others.map((id) => ({ value: id, label: names.get(id) ?? id })),
      ]}
      isPending={isFetching || settled !== text.trim()}
      matches={(option) => found.has(option.value)}
      value={chosen}
      onType={setText}
      onChange={(ids) => {
        setText('')
        onChange(ids)
      }}
      comboboxProps={IN_POPOVER}
      dir="auto"
      classNames={{ inputField: classes.typed ?? '' }}
    />
  )
}
