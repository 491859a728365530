import { Button, Group } from '@mantine/core'
import { IconAddressBook, IconSearchOff } from '@tabler/icons-react'
import { strings as lists } from '#strings/lists.ts'
import { strings } from '#strings/people.ts'
import { useCan } from '#web/api/use-can.ts'
import type { ChangeSearch, ListSearch } from '#web/lists/list-search.ts'
import { usePeopleOfExecutives } from '#web/people/use-people-of-executives.ts'
import { ScreenButton } from '#web/ui/link.tsx'
import { EmptyState } from '#web/ui/states.tsx'

interface NoPeopleProps {
  search: ListSearch
  change: ChangeSearch
  create: () => void
}

/** Explains why the list is empty, and offers a next step. */
export function NoPeople({ search: { q, filter }, change, create }: NoPeopleProps) {
  const mayWrite = useCan('write')
  const mayImport = useCan('import')
  const executives = usePeopleOfExecutives()
  if (!q && !filter)
    return (
      <EmptyState
        icon={<IconAddressBook aria-hidden />}
        title={strings.emptyTitle}
        action={
          mayWrite && (
            <Group justify="center" gap="xs" mt="xs">
              <Button onClick={create}>{strings.newPerson}</Button>
              {mayImport && <ScreenButton to="/people/import">{strings.importPeople}</ScreenButton>}
              <Button
                variant="default"
                loading={executives.isPending}
                onClick={() => executives.mutate('all')}
              >
                {strings.fromExecutives}
              </Button>
            </Group>
          )
        }
      >
        {mayWrite && strings.empty}
      </EmptyState>
    )
  return (
    <EmptyState
      icon={<IconSearchOff aria-hidden />}
      title={lists.noResults}
      action={
        <Group justify="center" gap="xs" mt="xs">
          {filter && (
            <Button variant="default" onClick={() => change({ filter: undefined })}>
              {lists.clearFilters}
            </Button>
          )}
          {q && !filter && (
            <Button variant="default" onClick={() => change({ q: undefined })}>
              {lists.clearSearch}
            </Button>
          )}
        </Group>
      }
    >
      {filter ? strings.noFilterMatch : strings.noSearchMatch}
    </EmptyState>
  )
}
