import { Group, Input, Pagination, Select, Stack } from '@mantine/core'
import { IconStack2 } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { strings } from '#strings/bulk-actions.ts'
import { strings as keyboard } from '#strings/keyboard.ts'
import { onePage, pageCount } from '#web/api/paging.ts'
import { queries } from '#web/api/queries.ts'
import { useCan } from '#web/api/use-can.ts'
import { isInProgress, latestBulkActions, PAGE_SIZE } from '#web/bulk-actions/latest-bulk-actions.ts'
import { statusName } from '#web/bulk-actions/status-badge.tsx'
import { useActions } from '#web/keyboard/actions.ts'
import { ScreenButton } from '#web/ui/link.tsx'
import { Page } from '#web/ui/page.tsx'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import { EmptyState, ErrorState } from '#web/ui/states.tsx'
import { type BulkActionsSearch, STATUSES } from './bulk-actions-search.ts'
import { BulkActionsSkeleton, BulkActionsTable } from './components/bulk-actions-table.tsx'

const route = getRouteApi('/shell/bulk-actions')
const POLL_INTERVAL_MS = 5000
const ANY = 'any'

const CHOICES = [
  { value: ANY, label: strings.anyStatus },
  ...STATUSES.map((status) => ({ value: status as string, label: statusName(status) })),
]

/** The user's bulk actions and their progress. */
export function BulkActionsScreen() {
  const { status, page = 1 } = route.useSearch()
  const mayStart = useCan('bulk')
  const navigate = route.useNavigate()
  const isWatched = page === 1 && !status
  const actions = useQuery({
    ...(isWatched
      ? latestBulkActions()
      : queries.bulkActions({ ...onePage(page, PAGE_SIZE), ...(status && { status }) })),
    refetchInterval: ({ state }) =>
      !isWatched && state.data?.data.some(isInProgress) ? POLL_INTERVAL_MS : false,
  })
  const show = (search: BulkActionsSearch) => navigate({ search, replace: true })
  const filter = (value: string | null) =>
    show(value === null || value === ANY ? {} : { status: value as NonNullable<typeof status> })
  const pages = pageCount(actions.data, PAGE_SIZE)
  const hasNone = actions.data?.pagination.total === 0 && !status
  const group = keyboard.screen
  useActions([
    mayStart && {
      id: 'choose-companies',
      label: strings.chooseCompanies,
      group,
      run: () => navigate({ to: '/companies' }),
    },
    ...CHOICES.filter(({ value }) => !hasNone && value !== (status ?? ANY)).map(({ value, label }) => ({
      id: `show-${value}`,
      label: keyboard.show(label),
      group,
      run: () => filter(value),
    })),
  ])
  return (
    <Page
      title={strings.title}
      description={strings.description}
      actions={
        mayStart && (
          <ScreenButton to="/companies" variant="default">
            {strings.chooseCompanies}
          </ScreenButton>
        )
      }
    >
      <Stack gap="md">
        {!hasNone && <StatusFilter value={status ?? ANY} change={filter} />}
        {actions.isPending && <BulkActionsSkeleton />}
        {actions.isError && !actions.data && (
          <ErrorState error={actions.error} retry={() => actions.refetch()} />
        )}
        {actions.data && actions.data.data.length > 0 && <BulkActionsTable actions={actions.data.data} />}
        {actions.data?.data.length === 0 && <NothingHere status={status} />}
        {pages > 1 && (
          <Group justify="center">
            <Pagination
              total={pages}
              value={page}
              onChange={(chosen) => show({ ...(status && { status }), page: chosen })}
              aria-label={strings.pages}
              getControlProps={(control) => ({ 'aria-label': strings.pageControls[control] })}
            />
          </Group>
        )}
      </Stack>
    </Page>
  )
}

interface StatusFilterProps {
  value: string
  change: (status: string | null) => void
}

/** A segmented control on wide screens, a select on narrow ones. */
function StatusFilter({ value, change }: StatusFilterProps) {
  return (
    <>
      <Input.Wrapper visibleFrom="sm">
        <SegmentedControl
          size="sm"
          data={CHOICES}
          value={value}
          onChange={change}
          aria-label={strings.filter}
        />
      </Input.Wrapper>
      <Select
        hiddenFrom="sm"
        label={strings.filter}
        data={CHOICES}
        value={value}
        onChange={change}
        allowDeselect={false}
      />
    </>
  )
}

function NothingHere({ status }: { status: BulkActionsSearch['status'] }) {
  const mayStart = useCan('bulk')
  if (status)
    return (
      <EmptyState
        icon={<IconStack2 />}
        title={strings.emptyFiltered(statusName(status))}
        action={
          <ScreenButton to="/bulk-actions" search={{}} variant="default">
            {strings.showAll}
          </ScreenButton>
        }
      >
        {strings.emptyFilteredHelp}
      </EmptyState>
    )
  return (
    <EmptyState
      icon={<IconStack2 />}
      title={strings.empty}
      action={mayStart && <ScreenButton to="/companies">{strings.chooseCompanies}</ScreenButton>}
    >
      {mayStart && strings.emptyHelp}
    </EmptyState>
  )
}
