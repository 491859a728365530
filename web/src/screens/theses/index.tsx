import { Button, Group, SimpleGrid, Skeleton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconBulb, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { MAX_FACET_VALUES, THESIS_STATUSES } from '#src/client/limits.ts'
import { strings as keyboard } from '#strings/keyboard.ts'
import { strings } from '#strings/theses.ts'
import { queries } from '#web/api/queries.ts'
import { useCan } from '#web/api/use-can.ts'
import { FilterButton, useFilterBuilder } from '#web/filters/filter-button.tsx'
import { FilterChips } from '#web/filters/filter-chips.tsx'
import { type ChangeFilter, filterText } from '#web/filters/tree.ts'
import { formatWord } from '#web/format/format.ts'
import { useActions } from '#web/keyboard/actions.ts'
import { ThesisCard } from '#web/screens/thesis/components/thesis-card.tsx'
import { Page } from '#web/ui/page.tsx'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import { SortSelect } from '#web/ui/sort-select.tsx'
import { EmptyState, ErrorState } from '#web/ui/states.tsx'
import { useNewRecords } from '#web/views/hooks/use-new-records.ts'
import { ViewRow } from '#web/views/view-row.tsx'
import { NewThesis } from './components/new-thesis.tsx'
import { useThesesView } from './hooks/use-theses-view.ts'

const SORTS = [
  { value: '-created_at', label: strings.sortNewest },
  { value: '-updated_at', label: strings.sortUpdated },
  { value: 'title', label: strings.sortTitle },
  { value: 'code', label: strings.sortCode },
]

/** All theses, with the number of linked companies. */
export function ThesesScreen() {
  const view = useThesesView()
  const { change } = view
  const { status = 'all', filter, sort } = view.search
  const newIds = useNewRecords(view.open.view)
  const theses = useQuery({
    ...queries.listedTheses({ ...(filter && { filter: filterText(filter) }), ...(sort && { sort }) }),
    enabled: !view.open.isOpening,
  })
  const facets = useQuery(queries.companyFacets({}))
  const [isCreating, createDialog] = useDisclosure(false)
  const mayWrite = useCan('write')
  const all = theses.data?.data ?? []
  const shown = status === 'all' ? all : all.filter((thesis) => thesis.status === status)
  const statuses = [...new Set<string>([...THESIS_STATUSES, ...all.map((thesis) => thesis.status)])]
  const builder = useFilterBuilder()
  const choose = (chosen: string) => change({ status: chosen }, { replace: true })
  const changeFilter: ChangeFilter = (next, options) => change({ filter: next }, options)
  const counts = facets.data?.thesis_id
  const countOf = (id: string): number | null => {
    const known = counts?.find(({ value }) => value === id)?.count
    return known ?? (counts && counts.length < MAX_FACET_VALUES ? 0 : null)
  }
  useActions([
    mayWrite && {
      id: 'new-thesis',
      label: strings.newThesis,
      group: keyboard.thesis,
      run: createDialog.open,
    },
  ])
  const create = mayWrite && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={createDialog.open}>
      {strings.newThesis}
    </Button>
  )
  return (
    <Page title={strings.title} description={strings.description} actions={create}>
      <ViewRow view={view} />
      {(all.length > 0 || filter) && (
        <Group gap="xs">
          <SegmentedControl
            aria-label={strings.filterByStatus}
            value={status}
            onChange={choose}
            data={[
              { value: 'all', label: strings.all },
              ...statuses.map((word) => ({ value: word, label: formatWord(word) })),
            ]}
            style={{ maxWidth: '100%', overflowX: 'auto' }}
          />
          <FilterButton entity="thesis" value={filter} onChange={changeFilter} builder={builder} />
          <SortSelect sorts={SORTS} sort={sort} sortBy={(chosen) => change({ sort: chosen })} />
        </Group>
      )}
      <FilterChips entity="thesis" value={filter} onChange={changeFilter} edit={builder.open} />
      {theses.isPending && <ThesesSkeleton />}
      {theses.isError && (!theses.data || filter) && (
        <ErrorState error={theses.error} retry={() => theses.refetch()} />
      )}
      {theses.data && all.length === 0 && filter && !theses.isError && (
        <EmptyState icon={<IconBulb aria-hidden />} title={strings.noFilterMatch} />
      )}
      {theses.data && all.length === 0 && !filter && (
        <EmptyState icon={<IconBulb aria-hidden />} title={strings.emptyTitle} action={create}>
          {mayWrite && strings.empty}
        </EmptyState>
      )}
      {all.length > 0 && shown.length === 0 && (
        <EmptyState
          icon={<IconBulb aria-hidden />}
          title={strings.emptyForStatus(formatWord(status))}
          action={
            <Button variant="default" onClick={() => choose('all')}>
              {strings.showAll}
            </Button>
          }
        >
          {strings.emptyForStatusHelp}
        </EmptyState>
      )}
      <SimpleGrid cols={{ base: 1, sm: 2, xl: 3 }} spacing="md">
        {(theses.isError ? [] : shown).map((thesis) => (
          <ThesisCard
            key={thesis.id}
            thesis={thesis}
            companies={countOf(thesis.id)}
            isNew={newIds.has(thesis.id)}
          />
        ))}
      </SimpleGrid>
      {isCreating && <NewThesis close={createDialog.close} />}
    </Page>
  )
}

function ThesesSkeleton() {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, xl: 3 }} spacing="md" aria-busy>
      <Skeleton height={170} radius="md" />
      <Skeleton height={170} radius="md" />
      <Skeleton height={170} radius="md" />
    </SimpleGrid>
  )
}
