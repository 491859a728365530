import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { strings } from '#strings/fields.ts'
import { queries } from '#web/api/queries.ts'
import { SearchableSelect, type SearchableSelectProps } from '#web/ui/select/searchable-select.tsx'
import { isPersonMatching, personOptions } from './people.ts'

interface OwnerFieldProps
  extends Omit<SearchableSelectProps, 'options' | 'value' | 'onChange' | 'onType' | 'matches' | 'create'> {
  /** The email address; null for none. */
  email: string | null
  onChange: (email: string | null) => void
  /** The label of the option for no one. */
  nobody?: string
}

const NOBODY = ''
const MAX_SHOWN = 100

/** Selects a person: yourself, no one, or any other user, found by name or email address. */
export function OwnerField({ email, onChange, nobody = strings.noOwner, ...props }: OwnerFieldProps) {
  const users = useQuery(queries.allUsers())
  const { data: me } = useQuery(queries.me())
  const people = personOptions(users.data ?? [], me?.email, email)
  const [isSearching, setSearching] = useState(false)
  const noOne = { value: NOBODY, label: nobody }
  // Enter chooses the first match: "no" means Nora before it means no one.
  const options = isSearching ? [...people, noOne] : [noOne, ...people]
  return (
    <SearchableSelect
      // What is typed replaces the chosen person.
      onFocus={(event) => event.currentTarget.select()}
      {...props}
      options={options}
      value={email ?? NOBODY}
      onChange={(value) => value !== null && onChange(value === NOBODY ? null : value)}
      onBlur={(event) => {
        setSearching(false)
        props.onBlur?.(event)
      }}
      onType={(text) => setSearching(text.trim() !== '')}
      limit={MAX_SHOWN}
      isPending={users.isLoading}
      matches={isPersonMatching}
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
