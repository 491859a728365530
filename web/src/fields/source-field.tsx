import { Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { foldText, SOURCE_CHANNELS, type SourceType } from '#src/client/limits.ts'
import { strings } from '#strings/fields.ts'
import { queries } from '#web/api/queries.ts'
import type { Deal } from '#web/api/service.ts'
import { formatLocation } from '#web/format/countries.ts'
import { formatWord } from '#web/format/format.ts'
import { SearchableSelect, type SearchableSelectProps } from '#web/ui/select/searchable-select.tsx'
import { personOptions } from './people.ts'

/** Who or what brought a deal. All are null if that is unknown. */
export type DealSource = Pick<Deal, 'source_type' | 'source_id' | 'source_name'>
export const NO_SOURCE: DealSource = { source_type: null, source_id: null, source_name: null }

/** The name of a source; null if the deal has none. */
export const sourceName = ({ source_type, source_name }: DealSource): string | null =>
  source_type && (source_name ?? strings.missingSource[source_type])

interface SourceFieldProps
  extends Omit<SearchableSelectProps, 'options' | 'value' | 'onChange' | 'onType' | 'matches' | 'create'> {
  source: DealSource
  onChange: (source: DealSource) => void
}

const DEBOUNCE_MS = 250
const FOUND = 6

interface SourceOption {
  value: string
  label: string
  /** What tells it from others with the same name. */
  detail?: string | undefined
}

const optionValue = (type: SourceType, id: string) => `${type}:${id}`

/** Selects a colleague or a channel, or a person or company by part of its name. */
export function SourceField({ source, onChange, ...props }: SourceFieldProps) {
  const [search, setSearch] = useState('')
  const { groups, isPending } = useSources(search.trim(), source)
  const all = new Map(groups.flatMap(({ items }) => items.map((item) => [item.value, item] as const)))
  const { source_type, source_id } = source
  const value = source_type && source_id ? optionValue(source_type, source_id) : null
  return (
    <SearchableSelect
      placeholder={strings.sourcePlaceholder}
      // What is typed replaces the chosen source.
      onFocus={(event) => event.currentTarget.select()}
      {...props}
      clearable
      options={groups}
      value={value}
      onChange={(chosen) => {
        setSearch('')
        onChange(chosen === null ? NO_SOURCE : sourceOf(chosen, all.get(chosen)?.label))
      }}
      onType={setSearch}
      onBlur={(event) => {
        setSearch('')
        props.onBlur?.(event)
      }}
      isPending={isPending}
      // The service has found the people and companies, also by their addresses and descriptions.
      matches={({ value, label }, text) =>
        /^(?:person|company):/.test(value)
          ? all.get(value)?.detail !== undefined
          : foldText(`${label} ${value}`).includes(text)
      }
      renderOption={({ option }) => (
        <Stack gap={0} miw={0}>
          <Text size="sm" lineClamp={2} className="break-anywhere" dir="auto">
            {option.label}
          </Text>
          <Text size="xs" c="dimmed" truncate dir="auto">
            {all.get(option.value)?.detail}
          </Text>
        </Stack>
      )}
    />
  )
}

function sourceOf(value: string, source_name: string | undefined): DealSource {
  const [type, ...id] = value.split(':')
  return { source_type: type as SourceType, source_id: id.join(':'), source_name: source_name ?? null }
}

/** The sources to choose from by type. People and companies are those that the search finds. */
function useSources(search: string, chosen: DealSource) {
  const [settled] = useDebouncedValue(search, DEBOUNCE_MS)
  const isSearching = settled !== ''
  const querystring = { search: settled.slice(0, 200), limit: FOUND }
  const people = useQuery({ ...queries.people(querystring), enabled: isSearching })
  const companies = useQuery({ ...queries.companies(querystring), enabled: isSearching })
  const users = useQuery(queries.allUsers())
  const { data: me } = useQuery(queries.me())
  const ofType: Record<SourceType, SourceOption[]> = {
    user: personOptions(users.data ?? [], me?.email, null).map(({ value, label }) => ({
      value: optionValue('user', value),
      label,
      detail: value,
    })),
    channel: SOURCE_CHANNELS.map((id) => ({ value: optionValue('channel', id), label: formatWord(id) })),
    person: (isSearching ? (people.data?.data ?? []) : []).map(
      ({ id, name, headline, companies, emails }) => ({
        value: optionValue('person', id),
        label: name,
        detail: headline ?? companies[0]?.name ?? emails[0] ?? '',
      }),
    ),
    company: (isSearching ? (companies.data?.data ?? []) : []).map((company) => ({
      value: optionValue('company', company.id),
      label: company.name,
      detail: [company.industry_category, formatLocation(company)].filter(Boolean).join(' · '),
    })),
  }
  const { source_type: type, source_id: id } = chosen
  if (type && id && !ofType[type].some(({ value }) => value === optionValue(type, id)))
    ofType[type].unshift({ value: optionValue(type, id), label: sourceName(chosen) ?? id })
  const groups = (['user', 'channel', 'person', 'company'] as const)
    .map((type) => ({ group: strings.sourceGroups[type], items: ofType[type] }))
    .filter(({ items }) => items.length > 0)
  const isPending = users.isLoading || people.isFetching || companies.isFetching || settled !== search
  return { groups, isPending: search !== '' && isPending }
}
