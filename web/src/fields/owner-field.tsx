import { type ComboboxItem, Select, type SelectProps, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { strings } from '#strings/fields.ts'
import { strings as general } from '#strings/general.ts'
import { queries } from '#web/service/queries.ts'
import { matchingPeople, personOptions } from './people.ts'

interface OwnerFieldProps
  extends Omit<SelectProps, 'data' | 'value' | 'onChange' | 'searchValue' | 'onSearchChange' | 'filter'> {
  /** The email address; null for none. */
  email: string | null
  onChange: (email: string | null) => void
  /** The label of no one. */
  nobody?: string
}

const NOBODY = ''
const MAX_SHOWN = 100

/** Selects a person: yourself, no one, or any other user, found by name or email address. */
export function OwnerField({ email, onChange, nobody = strings.noOwner, ...props }: OwnerFieldProps) {
  const users = useQuery(queries.allUsers())
  const { data: me } = useQuery(queries.me())
  const people = personOptions(users.data ?? [], me?.email, email)
  const [search, setSearch] = useState<string>()
  const noOne = { value: NOBODY, label: nobody }
  const shown = people.find(({ value }) => value === email)?.label ?? nobody
  const isSearching = search !== undefined && search !== shown && search.trim() !== ''
  // Enter chooses the first match: "no" means Nora before it means no one.
  const options = isSearching ? [...people, noOne] : [noOne, ...people]
  return (
    <Select
      // What is typed replaces the chosen person.
      onFocus={(event) => event.currentTarget.select()}
      {...props}
      data={options}
      value={email ?? NOBODY}
      onChange={(value) => value !== null && onChange(value === NOBODY ? null : value)}
      allowDeselect={false}
      searchable
      searchValue={search ?? shown}
      onSearchChange={setSearch}
      limit={MAX_SHOWN}
      // Enter chooses the first match, also if the people arrive after the text.
      selectFirstOptionOnChange={isSearching && users.data !== undefined}
      // When it opens, it shows everyone, not just the chosen person.
      filter={({ options, search }) =>
        search === shown ? options : matchingPeople(options as ComboboxItem[], search)
      }
      nothingFoundMessage={users.isPending ? general.loading : strings.noMatches}
      spellCheck={false}
      renderOption={({ option }) => (
        <Stack gap={0} miw={0}>
          <Text size="sm" truncate dir="auto" c={option.value === NOBODY ? 'dimmed' : undefined}>
            {option.label}
          </Text>
          {option.value !== NOBODY && (
            <Text size="xs" c="dimmed" truncate>
              {option.value}
            </Text>
          )}
        </Stack>
      )}
    />
  )
}
