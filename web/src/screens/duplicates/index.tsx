import { Group, Stack } from '@mantine/core'
import { IconCopyCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { strings } from '#strings/duplicates.ts'
import { strings as keyboard } from '#strings/keyboard.ts'
import { onePage, pageCount } from '#web/api/paging.ts'
import { queries } from '#web/api/queries.ts'
import type { Duplicate } from '#web/api/service.ts'
import { useActions } from '#web/keyboard/actions.ts'
import { ScreenLink } from '#web/ui/link.tsx'
import { Page } from '#web/ui/page.tsx'
import { Pages } from '#web/ui/pages.tsx'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import { EmptyState, ErrorState, SkeletonLines } from '#web/ui/states.tsx'
import { DuplicatePair } from './components/duplicate-pair.tsx'
import { MergeCompanies } from './components/merge-companies.tsx'
import type { DuplicatesSearch } from './duplicates-search.ts'

const route = getRouteApi('/shell/duplicates')
const PAGE_SIZE = 20
const STATUSES = [
  { value: 'open', label: strings.open },
  { value: 'dismissed', label: strings.dismissed },
]

/** Pairs of companies that may be the same, to merge or to dismiss. */
export function DuplicatesScreen() {
  const { status, company, page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  const [merged, merge] = useState<Duplicate | null>(null)
  const duplicates = useQuery(
    queries.duplicates({
      ...onePage(page, PAGE_SIZE),
      status: status ?? 'open',
      ...(company && { company_id: company }),
    }),
  )
  const total = duplicates.data?.pagination.total
  const show = (search: DuplicatesSearch, replace = false) =>
    navigate({ search: { ...(company && { company }), ...search }, replace })
  const showStatus = (chosen: string) => show(chosen === 'dismissed' ? { status: 'dismissed' } : {})
  const group = keyboard.screen
  useActions([
    ...STATUSES.filter(({ value }) => value !== (status ?? 'open')).map(({ value, label }) => ({
      id: `show-${value}-pairs`,
      label: keyboard.show(label),
      group,
      run: () => showStatus(value),
    })),
    company !== undefined && {
      id: 'all-pairs',
      label: strings.allPairs,
      group,
      run: () => navigate({ search: {} }),
    },
  ])
  return (
    <Page
      title={strings.title}
      description={<span role="status">{total === undefined ? '\u00a0' : strings.description(total)}</span>}
    >
      <Group gap="sm">
        <SegmentedControl
          aria-label={strings.status}
          value={status ?? 'open'}
          onChange={showStatus}
          data={STATUSES}
        />
        {company && (
          <ScreenLink to="/duplicates" size="sm">
            {strings.allPairs}
          </ScreenLink>
        )}
      </Group>
      {duplicates.isPending && <SkeletonLines lines={8} height={40} />}
      {duplicates.isError && !duplicates.data && (
        <ErrorState error={duplicates.error} retry={() => duplicates.refetch()} />
      )}
      {total === 0 && (
        <EmptyState
          icon={<IconCopyCheck aria-hidden />}
          title={status === 'dismissed' ? strings.noneDismissed : strings.emptyTitle}
        >
          {status !== 'dismissed' && strings.empty}
        </EmptyState>
      )}
      <Stack
        gap="md"
        component="ul"
        m={0}
        p={0}
        style={{ listStyle: 'none', opacity: duplicates.isPlaceholderData ? 0.6 : 1 }}
        aria-busy={duplicates.isPlaceholderData}
      >
        {duplicates.data?.data.map((pair) => (
          <DuplicatePair key={pair.id} pair={pair} merge={() => merge(pair)} />
        ))}
      </Stack>
      <Pages
        query={duplicates}
        pages={pageCount(duplicates.data, PAGE_SIZE)}
        page={page}
        goTo={(chosen, replace) =>
          show({ ...(status && { status }), ...(chosen > 1 && { page: chosen }) }, replace)
        }
      />
      {merged && <MergeCompanies companies={merged.companies} close={() => merge(null)} />}
    </Page>
  )
}
