import { Group, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { MAX_PARTICIPANTS } from '#src/client/limits.ts'
import { strings as keyboard } from '#strings/keyboard.ts'
import { strings } from '#strings/notes.ts'
import { strings as peopleStrings } from '#strings/people.ts'
import { noteQueries } from '#web/api/note-queries.ts'
import type { CompanyLink, Person } from '#web/api/service.ts'
import { isPast } from '#web/fields/past-link.ts'
import { SearchableMultiSelect } from '#web/ui/select/searchable-multi-select.tsx'
import type { Participant } from '../note-text.ts'

interface ParticipantsFieldProps {
  participants: Participant[]
  onChange: (participants: Participant[]) => void
  /** The companies whose people are offered first. */
  companyIds: string[]
}

const DEBOUNCE_MS = 150
const MAX_OFFERED = 20

const detailOf = ({ headline, emails }: Person, link: CompanyLink | undefined): string =>
  link?.until && isPast(link)
    ? peopleStrings.untilYear(link.until)
    : (link?.role ?? headline ?? emails[0] ?? '')

/** The people who took part: those of the companies first, the ones who left last, then all others by name. */
export function ParticipantsField({ participants, onChange, companyIds }: ParticipantsFieldProps) {
  const [search, setSearch] = useState('')
  const [settled] = useDebouncedValue(search.trim(), DEBOUNCE_MS)
  const near = useQuery({
    ...noteQueries.peopleToChoose({
      company_id: companyIds,
      limit: MAX_OFFERED,
      ...(settled && { search: settled }),
    }),
    enabled: companyIds.length > 0,
  })
  const others = useQuery({
    ...noteQueries.peopleToChoose({ limit: MAX_OFFERED, search: settled }),
    enabled: settled !== '',
  })
  const linkOf = ({ companies }: Person) =>
    companies.find(({ company_id }) => companyIds.includes(company_id))
  const rank = (person: Person) => {
    const link = linkOf(person)
    return link && isPast(link) ? 2 : link?.is_primary ? 0 : 1
  }
  const ofCompanies = companyIds.length > 0 ? (near.data ?? []) : []
  const found = [
    ...ofCompanies.toSorted((one, other) => rank(one) - rank(other)),
    ...(settled === '' ? [] : (others.data ?? [])),
  ]
  const known = new Map<string, Participant>([...participants, ...found].map((person) => [person.id, person]))
  const details = new Map(found.map((person) => [person.id, detailOf(person, linkOf(person))]))
  const isSearching = near.isFetching || others.isFetching || settled !== search.trim()
  return (
    <SearchableMultiSelect
      label={strings.participants}
      placeholder={participants.length === 0 ? strings.participantsPlaceholder : ''}
      options={[...known.values()].map(({ id, name }) => ({ value: id, label: name }))}
      value={participants.map(({ id }) => id)}
      onChange={(ids) => {
        setSearch('')
        const chosen = ids.flatMap((id) => known.get(id) ?? []).map(({ id, name }) => ({ id, name }))
        onChange(chosen.slice(0, MAX_PARTICIPANTS))
      }}
      onType={setSearch}
      isPending={isSearching}
      // The service has already filtered, also by email address.
      matches={({ value }) => details.has(value)}
      nothingFoundMessage={
        isSearching ? strings.searching : settled === '' ? strings.typeToSearch : keyboard.noResults
      }
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
