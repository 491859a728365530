import { Button, Group, NativeSelect, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { AUDIT_EVENTS, type AuditEvent } from '#src/client/limits.ts'
import { strings } from '#strings/audit.ts'
import { DateTimeInput } from '#web/ui/date-input/date-time-input.tsx'
import type { AuditSearch } from '../audit-search.ts'

const DEBOUNCE_MS = 500
const EVENTS = [
  { value: '', label: strings.allEvents },
  ...AUDIT_EVENTS.map((event) => ({ value: event as string, label: strings.events[event] })),
]

interface AuditFiltersProps {
  search: AuditSearch
  /** Applies the filters and goes to the first page. */
  choose: (search: AuditSearch) => void
}

/** Filters by event, user, address, and period. */
export function AuditFilters({ search, choose }: AuditFiltersProps) {
  const { page: _page, ...filters } = search
  const set = (name: keyof typeof filters, value: string | undefined) => {
    const { [name]: _previous, ...others } = filters
    choose(value ? { ...others, [name]: value } : others)
  }
  return (
    <Group component="search" aria-label={strings.filters} gap="sm" align="flex-end">
      <NativeSelect
        label={strings.event}
        value={search.event ?? ''}
        onChange={(event) => set('event', event.currentTarget.value as AuditEvent | '')}
        data={EVENTS}
        w={{ base: '100%', xs: 190 }}
      />
      <FilterInput
        label={strings.user}
        placeholder={strings.userPlaceholder}
        value={search.user_email ?? ''}
        choose={(text) => set('user_email', text.trim())}
        width={230}
      />
      <FilterInput
        label={strings.address}
        placeholder={strings.addressPlaceholder}
        value={search.address ?? ''}
        choose={(text) => set('address', text.trim())}
        width={160}
      />
      {(['since', 'until'] as const).map((name) => (
        <DateTimeInput
          key={name}
          label={strings[name]}
          value={search[name] ?? null}
          onChange={(moment) => set(name, moment ?? undefined)}
          clearable
          isPast
          w={{ base: '100%', xs: 220 }}
        />
      ))}
      {Object.keys(filters).length > 0 && (
        <Button variant="subtle" onClick={() => choose({})}>
          {strings.clearFilters}
        </Button>
      )}
    </Group>
  )
}

interface FilterInputProps {
  label: string
  placeholder?: string
  value: string
  choose: (value: string) => void
  width: number
}

/** An input that filters once its user pauses. */
function FilterInput({ value, choose, width, ...props }: FilterInputProps) {
  const [text, setText] = useState(value)
  // The address may change the filter, for example when going back.
  useEffect(() => setText(value), [value])
  const chooseSoon = useDebouncedCallback(choose, DEBOUNCE_MS)
  return (
    <TextInput
      {...props}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value)
        chooseSoon(currentTarget.value)
      }}
      spellCheck={false}
      w={{ base: '100%', xs: width }}
    />
  )
}
