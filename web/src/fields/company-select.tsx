import { Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type Ref, useState } from 'react'
import { strings } from '#strings/pipeline.ts'
import { errorMessage } from '#web/api/error-message.ts'
import { queries } from '#web/api/queries.ts'
import { formatLocation } from '#web/format/countries.ts'
import { SearchableSelect } from '#web/ui/select/searchable-select.tsx'

export interface ChosenCompany {
  id: string
  name: string
}

interface CompanySelectProps {
  company: ChosenCompany | null
  choose: (company: ChosenCompany | null) => void
  error: string | null
  ref: Ref<HTMLInputElement>
}

const DEBOUNCE_MS = 250

/** Selects a company by part of its name. */
export function CompanySelect({ company, choose, error, ref }: CompanySelectProps) {
  const [search, setSearch] = useState('')
  const [settled] = useDebouncedValue(search.trim(), DEBOUNCE_MS)
  const found = useQuery({
    ...queries.companies({ limit: 10, ...(settled && { search: settled.slice(0, 200) }) }),
    placeholderData: keepPreviousData,
  })
  const companies = found.data?.data ?? []
  const positions = new Map(
    companies.map((company) => [
      company.id,
      [company.industry_category, company.hq_city, formatLocation(company)].filter(Boolean).join(' · '),
    ]),
  )
  const options = companies.map(({ id, name }) => ({ value: id, label: name }))
  if (company && !positions.has(company.id)) options.unshift({ value: company.id, label: company.name })
  const isSearching = found.isFetching || settled !== search.trim()
  return (
    <SearchableSelect
      ref={ref}
      // The dialog focuses it. The list opens on typing, a click, or an arrow key.
      data-autofocus
      openOnFocus={false}
      label={strings.company}
      placeholder={strings.companyPlaceholder}
      required
      options={options}
      value={company?.id ?? null}
      onChange={(id, option) => {
        setSearch('')
        choose(id && option ? { id, name: option.label } : null)
      }}
      clearable
      onType={setSearch}
      isPending={isSearching}
      // The service has already filtered, ignoring accents and including descriptions.
      matches={({ value }) => positions.has(value)}
      {...(isSearching && { nothingFoundMessage: strings.searching })}
      error={error ?? (found.isError ? errorMessage(found.error) : null)}
      comboboxProps={{ withinPortal: true }}
      renderOption={({ option }) => (
        <Stack gap={0} miw={0}>
          <Text size="sm" lineClamp={2} className="break-anywhere" dir="auto">
            {option.label}
          </Text>
          <Text size="xs" c="dimmed" lineClamp={1} dir="auto">
            {positions.get(option.value)}
          </Text>
        </Stack>
      )}
    />
  )
}
