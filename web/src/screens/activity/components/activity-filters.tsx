import { Button, Group, NativeSelect, Pill, Stack, Text } from '@mantine/core'
import { IconUser } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { strings } from '#strings/activity.ts'
import { queries } from '#web/api/queries.ts'
import { formatWord } from '#web/format/format.ts'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import { SearchableSelect } from '#web/ui/select/searchable-select.tsx'
import { type ActivitySearch, EMAIL_PATTERN } from '../activity-search.ts'
import { ActionName, hiddenActions } from './hidden-actions.tsx'

const TYPES = ['company', 'person', 'dealflow', 'thesis', 'note', 'task', 'file', 'bulk_action'] as const
/** Activity types by entity type. */
const ACTIVITY_TYPES = {
  company: [
    'company_created',
    'company_updated',
    'companies_imported',
    'company_scored',
    'company_enriched',
    'company_deleted',
    'company_restored',
    'company_purged',
    'company_merged',
    'company_unmerged',
  ],
  person: [
    'person_created',
    'person_updated',
    'people_imported',
    'person_linked',
    'person_link_updated',
    'person_unlinked',
    'person_deleted',
    'person_restored',
    'person_purged',
    'person_merged',
    'person_unmerged',
  ],
  dealflow: [
    'dealflow_created',
    'dealflow_updated',
    'dealflow_stage_changed',
    'dealflow_deleted',
    'dealflow_restored',
    'dealflow_purged',
  ],
  thesis: ['thesis_created', 'thesis_updated', 'thesis_deleted', 'thesis_restored', 'thesis_purged'],
  note: ['note_created', 'note_updated', 'note_deleted', 'note_restored', 'note_purged'],
  file: [
    'file_created',
    'file_version_added',
    'file_updated',
    'file_deleted',
    'file_restored',
    'file_purged',
    'file_infected',
  ],
  task: [
    'task_created',
    'task_updated',
    'task_done',
    'task_reopened',
    'task_deleted',
    'task_restored',
    'task_purged',
  ],
  bulk_action: [
    'bulk_action_created',
    'bulk_action_completed',
    'bulk_action_failed',
    'bulk_action_cancelled',
  ],
}
const KINDS = [
  { value: '', label: strings.all },
  ...TYPES.map((type) => ({ value: type, label: strings.kinds[type] })),
]

interface ActivityFiltersProps {
  search: ActivitySearch
  /** Applies the filters and goes to the first page. */
  choose: (search: ActivitySearch) => void
}

/** Filters by record type, event, user, and a single record. */
export function ActivityFilters({ search, choose }: ActivityFiltersProps) {
  const { page: _first, ...filters } = search
  const { entity_type, activity_type, user_email, entity_id } = filters
  const hidden = hiddenActions(filters.hidden_actions)
  const without = (name: keyof typeof filters) => {
    const { [name]: _left, ...rest } = filters
    return rest
  }
  const chooseKind = (kind: string) => {
    const type = TYPES.find((known) => known === kind)
    const { entity_type: _kind, activity_type: activityType, ...others } = filters
    const fits = activityType && (!type || ACTIVITY_TYPES[type].includes(activityType))
    choose({ ...others, ...(type && { entity_type: type }), ...(fits && { activity_type: activityType }) })
  }
  const show = (id: string) => {
    const others = hidden.filter((one) => one !== id)
    choose({ ...without('hidden_actions'), ...(others.length > 0 && { hidden_actions: others.join() }) })
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
        <NativeSelect
          aria-label={strings.event}
          value={activity_type ?? ''}
          onChange={({ currentTarget: { value } }) =>
            choose({ ...without('activity_type'), ...(value && { activity_type: value }) })
          }
          data={activityTypeOptions(entity_type, activity_type)}
          w={{ base: '100%', xs: 220 }}
        />
        <PersonFilter
          email={user_email ?? ''}
          choose={(email) => choose({ ...without('user_email'), ...(email && { user_email: email }) })}
        />
        {isNarrowed && (
          <Button variant="subtle" size="sm" onClick={() => choose({})}>
            {strings.clearFilters}
          </Button>
        )}
      </Group>
      {(entity_id || hidden.length > 0) && (
        <Group gap="xs">
          {entity_id && (
            <Narrowing
              label={strings.record}
              removeLabel={strings.allRecords}
              remove={() => choose(without('entity_id'))}
            >
              {entity_id}
            </Narrowing>
          )}
          {hidden.map((id) => (
            <Narrowing
              key={id}
              label={strings.hidden}
              removeLabel={strings.showAction}
              remove={() => show(id)}
            >
              <ActionName id={id} />
            </Narrowing>
          ))}
        </Group>
      )}
    </Stack>
  )
}

interface NarrowingProps {
  label: string
  removeLabel: string
  remove: () => void
  children: ReactNode
}

/** A filter that another screen or a link has set. */
const Narrowing = ({ label, removeLabel, remove, children }: NarrowingProps) => (
  <>
    <Text size="sm" c="dimmed">
      {label}
    </Text>
    <Pill
      withRemoveButton
      onRemove={remove}
      removeButtonProps={{ 'aria-label': removeLabel, 'aria-hidden': false, tabIndex: 0 }}
    >
      {children}
    </Pill>
  </>
)

/** @param chosen is included even if this page does not know it */
function activityTypeOptions(type: ActivitySearch['entity_type'], chosen: string | undefined) {
  const known: string[] = type ? ACTIVITY_TYPES[type] : TYPES.flatMap((each) => ACTIVITY_TYPES[each])
  const shown = !chosen || known.includes(chosen) ? known : [chosen, ...known]
  return [
    { value: '', label: strings.allEvents },
    ...shown.map((value) => ({ value, label: strings.events[value] ?? formatWord(value) })),
  ]
}

interface PersonFilterProps {
  email: string
  choose: (email: string) => void
}

/** One of the known users, or any complete address: deleted users have activity too. */
function PersonFilter({ email, choose }: PersonFilterProps) {
  const users = useQuery({ ...queries.users(), retry: false })
  const { data: me } = useQuery(queries.me())
  const known = users.data?.data.map((user) => user.email) ?? (me ? [me.email] : [])
  return (
    <SearchableSelect
      aria-label={strings.user}
      placeholder={strings.allUsers}
      leftSection={<IconUser size={16} aria-hidden />}
      options={[...new Set([...known, ...(email ? [email] : [])])]}
      value={email || null}
      onChange={(address) => choose(address ?? '')}
      create={(text) => {
        const value = text.toLowerCase()
        return EMAIL_PATTERN.test(value) ? { value, label: value } : null
      }}
      isPending={users.isLoading}
      nothingFoundMessage={strings.invalidEmail}
      limit={50}
      clearable
      clearButtonProps={{ 'aria-label': strings.clearUser }}
      w={{ base: '100%', xs: 280 }}
    />
  )
}
