import { Autocomplete, Button, Group, NativeSelect, Pill, SegmentedControl, Stack, Text } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconUser } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { strings } from '#strings/activity.ts'
import { queries } from '#web/service/queries.ts'
import { type ActivitySearch, ADDRESS } from './activity-search.ts'

const TYPES = ['company', 'dealflow', 'thesis', 'bulk_action'] as const
const KINDS = [
  { value: '', label: strings.everything },
  ...TYPES.map((type) => ({ value: type, label: strings.kinds[type] })),
]

interface ActivityFiltersProps {
  search: ActivitySearch
  /** Shows the first page of what is asked for. */
  choose: (search: ActivitySearch) => void
}

/** What the list is narrowed down to: kind, person, and one record. */
export function ActivityFilters({ search, choose }: ActivityFiltersProps) {
  const { page: _first, ...filters } = search
  const { entity_type, user_email, entity_id } = filters
  const without = (name: keyof typeof filters) => {
    const { [name]: _left, ...rest } = filters
    return rest
  }
  const chooseKind = (kind: string) => {
    const type = TYPES.find((known) => known === kind)
    choose({ ...without('entity_type'), ...(type && { entity_type: type }) })
  }
  const isNarrowed = Object.keys(filters).length > 0
  return (
    <Stack gap="xs" component="search" aria-label={strings.filters}>
      <Group gap="sm" align="center">
        <SegmentedControl
          aria-label={strings.kind}
          value={entity_type ?? ''}
          onChange={chooseKind}
          data={KINDS}
          visibleFrom="sm"
        />
        <NativeSelect
          aria-label={strings.kind}
          value={entity_type ?? ''}
          onChange={(event) => chooseKind(event.currentTarget.value)}
          data={KINDS}
          hiddenFrom="sm"
          w={{ base: '100%', xs: 200 }}
        />
        <PersonFilter
          email={user_email ?? ''}
          choose={(email) => choose({ ...without('user_email'), ...(email && { user_email: email }) })}
        />
        {isNarrowed && (
          <Button variant="subtle" size="sm" onClick={() => choose({})}>
            {strings.clear}
          </Button>
        )}
      </Group>
      {entity_id && (
        <Group gap="xs">
          <Text size="sm" c="dimmed">
            {strings.onlyRecord}
          </Text>
          <Pill
            withRemoveButton
            onRemove={() => choose(without('entity_id'))}
            removeButtonProps={{ 'aria-label': strings.allRecords, 'aria-hidden': false, tabIndex: 0 }}
          >
            {entity_id}
          </Pill>
        </Group>
      )}
    </Stack>
  )
}

interface PersonFilterProps {
  email: string
  choose: (email: string) => void
}

function PersonFilter({ email, choose }: PersonFilterProps) {
  const users = useQuery({ ...queries.users(), retry: false })
  const { data: me } = useQuery(queries.me())
  const [text, setText] = useState(email)
  const [isWrong, setIsWrong] = useState(false)
  // Another address, such as by going back, is shown at once.
  useEffect(() => setText(email), [email])
  const chooseSoon = useDebouncedCallback((typed: string) => {
    const address = typed.trim().toLowerCase()
    if (address === email) return
    const isComplete = address === '' || ADDRESS.test(address)
    if (isComplete) choose(address)
  }, 600)
  const known = users.data?.data.map((user) => user.email) ?? (me ? [me.email] : [])
  const type = (typed: string) => {
    setText(typed)
    setIsWrong(false)
    if (known.includes(typed) || typed === '') {
      chooseSoon.cancel()
      choose(typed)
    } else chooseSoon(typed)
  }
  return (
    <Autocomplete
      aria-label={strings.person}
      placeholder={strings.personExample}
      leftSection={<IconUser size={16} aria-hidden />}
      data={[...new Set(known)]}
      value={text}
      onChange={type}
      onBlur={() => setIsWrong(text.trim() !== '' && !ADDRESS.test(text.trim()))}
      error={isWrong && strings.invalidEmail}
      limit={50}
      clearable
      clearButtonProps={{ 'aria-label': strings.everybody }}
      w={{ base: '100%', xs: 280 }}
    />
  )
}
