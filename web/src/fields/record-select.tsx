import { type SelectProps, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { type Ref, useState } from 'react'
import { strings } from '#strings/fields.ts'
import { errorMessage } from '#web/api/error-message.ts'
import { SearchableSelect } from '#web/ui/select/searchable-select.tsx'

/** A record that was chosen. Without an id, it is to be created. */
export interface ChosenRecord {
  id: string
  name: string
}

/** The result of a search. */
export interface FoundRecords {
  records: readonly (ChosenRecord & { detail: string })[]
  isFetching: boolean
  error: unknown
}

export interface RecordSelectProps extends Pick<SelectProps, 'label' | 'aria-label' | 'size' | 'w'> {
  placeholder: string
  record: ChosenRecord | null
  choose: (record: ChosenRecord | null) => void
  /** Whether a name that is not found can be created. */
  canCreate?: boolean
  error: string | null
  required?: boolean
  /** Whether the dialog focuses it. */
  isFirst?: boolean
  ref?: Ref<HTMLInputElement>
}

interface SearchedSelectProps extends RecordSelectProps {
  /** Searches records. A hook. */
  useSearch: (text: string) => FoundRecords
}

const DEBOUNCE_MS = 250
const NEW = 'new:'

/** Selects a record by part of its name. The list opens on typing, a click, or an arrow key. */
export function RecordSelect(props: SearchedSelectProps) {
  const { record, choose, error, canCreate = false, isFirst = false, useSearch, ...input } = props
  const [search, setSearch] = useState('')
  const [settled] = useDebouncedValue(search.trim(), DEBOUNCE_MS)
  const found = useSearch(settled.slice(0, 200))
  const details = new Map(found.records.map(({ id, detail }) => [id, detail]))
  const options = found.records.map(({ id, name }) => ({ value: id, label: name }))
  const chosen = record && { value: record.id || NEW + record.name, label: record.name }
  if (chosen && !details.has(chosen.value)) options.unshift(chosen)
  const isSearching = found.isFetching || settled !== search.trim()
  return (
    <SearchableSelect
      {...input}
      {...(isFirst && { 'data-autofocus': true })}
      openOnFocus={false}
      options={options}
      value={chosen?.value ?? null}
      onChange={(value, option) => {
        setSearch('')
        if (value?.startsWith(NEW)) choose({ id: '', name: value.slice(NEW.length) })
        else choose(value && option ? { id: value, name: option.label } : null)
      }}
      clearable
      onType={setSearch}
      isPending={isSearching}
      // The service has already filtered, ignoring accents and including descriptions.
      matches={({ value }) => details.has(value)}
      {...(canCreate && {
        create: (name: string) => ({ value: NEW + name, label: strings.createNamed(name) }),
      })}
      {...(isSearching && { nothingFoundMessage: strings.searching })}
      error={error ?? (found.error ? errorMessage(found.error) : null)}
      comboboxProps={{ withinPortal: true }}
      renderOption={({ option }) => (
        <Stack gap={0} miw={0}>
          <Text size="sm" lineClamp={2} className="break-anywhere" dir="auto">
            {option.label}
          </Text>
          <Text size="xs" c="dimmed" lineClamp={1} dir="auto">
            {details.get(option.value)}
          </Text>
        </Stack>
      )}
    />
  )
}
