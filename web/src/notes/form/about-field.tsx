import { Group, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ABOUT_TYPES, MAX_ABOUT } from '#src/client/limits.ts'
import { strings as keyboard } from '#strings/keyboard.ts'
import { strings } from '#strings/notes.ts'
import { queries } from '#web/api/queries.ts'
import { aboutName } from '#web/fields/about-name.ts'
import { SearchableMultiSelect } from '#web/ui/select/searchable-multi-select.tsx'
import type { AboutEntry } from '../note-text.ts'

interface AboutFieldProps {
  about: AboutEntry[]
  onChange: (about: AboutEntry[]) => void
  error: string | null
  /** Whether the dialog focuses it. */
  isFirst?: boolean
}

const DEBOUNCE_MS = 150
/** Ids of all types differ. */
const asOption = (entry: AboutEntry) => ({ value: entry.id, label: aboutName(entry) })

/** The records that a note is about, found by name. */
export function AboutField({ about, onChange, error, isFirst = false }: AboutFieldProps) {
  const [search, setSearch] = useState('')
  const [settled] = useDebouncedValue(search.trim(), DEBOUNCE_MS)
  const found = useQuery({ ...queries.foundRecords(settled), enabled: settled !== '' })
  const records = (settled === '' ? [] : (found.data ?? [])).flatMap(({ type, id, name, detail }) => {
    const aboutType = ABOUT_TYPES.find((known) => known === type)
    return aboutType ? [{ type: aboutType, id, name, detail }] : []
  })
  const known = new Map([...about, ...records].map((entry) => [entry.id, entry]))
  const details = new Map(records.map(({ id, type, detail }) => [id, detail ?? keyboard.foundOne[type]]))
  const isSearching = found.isFetching || settled !== search.trim()
  return (
    <SearchableMultiSelect
      label={strings.about}
      placeholder={about.length === 0 ? strings.aboutPlaceholder : ''}
      options={[...known.values()].map(asOption)}
      value={about.map(({ id }) => id)}
      onChange={(ids) => {
        setSearch('')
        onChange(ids.flatMap((id) => known.get(id) ?? []).slice(0, MAX_ABOUT))
      }}
      onType={setSearch}
      isPending={isSearching}
      matches={({ value }) => details.has(value)}
      nothingFoundMessage={
        isSearching ? strings.searching : settled === '' ? strings.typeToSearch : keyboard.noResults
      }
      error={error}
      openOnFocus={false}
      {...(isFirst && { 'data-autofocus': true })}
      dir="auto"
      renderOption={({ option }) => (
        <Group justify="space-between" gap="sm" wrap="nowrap" w="100%">
          <Text size="sm" truncate dir="auto">
            {option.label}
          </Text>
          <Text size="xs" c="dimmed" truncate maw="50%" dir="auto">
            {details.get(option.value)}
          </Text>
        </Group>
      )}
    />
  )
}
