import { Button, Group, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { RefObject } from 'react'
import { strings } from '#strings/tasks.ts'
import { queries } from '#web/api/queries.ts'
import { isPersonMatching, personOptions } from '#web/fields/people.ts'
import { SearchBox } from '#web/lists/search-box.tsx'
import { AboutFilter } from '#web/notes/about-filter.tsx'
import { DUE_GROUPS } from '#web/tasks/due.ts'
import { SearchableSelect } from '#web/ui/select/searchable-select.tsx'
import { NOBODY, type TaskFilters, type TasksView } from '../tasks-search.ts'

interface TaskFiltersProps {
  view: TasksView
  filters: TaskFilters
  set: (name: keyof TaskFilters, value: string | undefined) => void
  clear: () => void
  inputRef: RefObject<HTMLInputElement | null>
  /** Moves the focus into the list. */
  enterList: () => void
}

const WIDTH = { base: '100%', xs: 190 }
const DUE = [
  { value: '', label: strings.anyDue },
  ...DUE_GROUPS.map((group) => ({ value: group as string, label: strings.groups[group] })),
]
/** Narrows the list by words, date, assignee, and record. */
export function TaskFilterBar({ view, filters, set, clear, inputRef, enterList }: TaskFiltersProps) {
  const { q, due, assignee, about } = filters
  return (
    <Group component="search" aria-label={strings.filters} gap="sm">
      <SearchBox
        label={strings.search}
        placeholder={strings.searchPlaceholder}
        group={strings.group}
        q={q}
        search={(text) => set('q', text)}
        inputRef={inputRef}
        enterList={enterList}
      />
      {view !== 'done' && (
        <NativeSelect
          size="xs"
          aria-label={strings.due}
          value={due ?? ''}
          onChange={({ currentTarget }) => set('due', currentTarget.value)}
          data={DUE}
        />
      )}
      {view !== 'mine' && <AssigneeFilter assignee={assignee} choose={(email) => set('assignee', email)} />}
      <AboutFilter about={about} choose={(id) => set('about', id)} />
      {Object.values(filters).some(Boolean) && (
        <Button variant="subtle" size="xs" onClick={clear}>
          {strings.clearFilters}
        </Button>
      )}
    </Group>
  )
}

interface AssigneeFilterProps {
  assignee: string | undefined
  choose: (assignee: string | undefined) => void
}

function AssigneeFilter({ assignee, choose }: AssigneeFilterProps) {
  const users = useQuery(queries.allUsers())
  const { data: me } = useQuery(queries.me())
  const people = personOptions(users.data ?? [], me?.email, assignee === NOBODY ? null : (assignee ?? null))
  return (
    <SearchableSelect
      size="xs"
      aria-label={strings.assignee}
      placeholder={strings.anyAssignee}
      options={[...people, { value: NOBODY, label: strings.noAssignee }]}
      value={assignee ?? null}
      onChange={(chosen) => choose(chosen ?? undefined)}
      clearable
      isPending={users.isLoading}
      matches={isPersonMatching}
      w={WIDTH}
    />
  )
}
