import { Paper, Skeleton, Stack } from '@mantine/core'
import { IconActivity } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { strings } from '#strings/activity.ts'
import { strings as general } from '#strings/general.ts'
import { ActivityTimeline } from '#web/activity/activity-timeline.tsx'
import { onePage, pageCount } from '#web/api/paging.ts'
import { queries } from '#web/api/queries.ts'
import { filterText } from '#web/filters/tree.ts'
import { formatNumber } from '#web/format/format.ts'
import { Page } from '#web/ui/page.tsx'
import { Pages } from '#web/ui/pages.tsx'
import { EmptyState, ErrorState, SkeletonLines } from '#web/ui/states.tsx'
import type { ActivitySearch } from './activity-search.ts'
import { ActivityFilters } from './components/activity-filters.tsx'
import { HideAction, hiddenActions } from './components/hidden-actions.tsx'

const route = getRouteApi('/shell/activity')
/** Large, because what one action did to many companies is one entry. */
const PAGE_SIZE = 500

/** All activity, newest first. */
export function ActivityScreen() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { page = 1, hidden_actions, ...filters } = search
  const hidden = hiddenActions(hidden_actions)
  const activity = useQuery(
    queries.activity({
      ...filters,
      ...(hidden.length > 0 && {
        filter: filterText({ field: 'action_id', op: 'not_in', value: hidden }),
      }),
      ...onePage(page, PAGE_SIZE),
    }),
  )
  const total = activity.data?.pagination.total ?? 0
  const pages = pageCount(activity.data, PAGE_SIZE)
  const isPastEnd = total > 0 && activity.data?.data.length === 0
  const choose = (chosen: ActivitySearch) => navigate({ search: chosen, replace: true, resetScroll: false })
  const goToPage = (chosen: number, replace = false) =>
    navigate({ search: { ...search, page: chosen > 1 ? chosen : undefined }, replace, resetScroll: true })
  return (
    <Page
      title={general.activity}
      description={descriptionOf(activity.data?.pagination.total, activity.isError)}
    >
      <Stack gap="md" maw={1100}>
        <ActivityFilters search={search} choose={choose} />
        {(activity.isPending || isPastEnd) && <SkeletonLines lines={14} height={26} />}
        {activity.isError && !activity.data && (
          <ErrorState error={activity.error} retry={() => activity.refetch()} />
        )}
        {activity.data && total === 0 && (
          <EmptyState
            icon={<IconActivity />}
            title={Object.keys(search).length > 0 ? strings.noMatch : strings.noActivity}
          >
            {Object.keys(search).length > 0 ? strings.noMatchHelp : strings.noActivityHelp}
          </EmptyState>
        )}
        {activity.data && activity.data.data.length > 0 && (
          <Paper
            withBorder
            p={{ base: 'sm', sm: 'md', lg: 'lg' }}
            aria-busy={activity.isPlaceholderData}
            style={{ opacity: activity.isPlaceholderData ? 0.6 : 1 }}
          >
            <ActivityTimeline records={activity.data.data} hasNewer={page > 1} hasOlder={page < pages} />
          </Paper>
        )}
        {activity.data && page < pages && <HideAction records={activity.data.data} />}
        <Pages query={activity} pages={pages} page={page} goTo={goToPage} />
      </Stack>
    </Page>
  )
}

function descriptionOf(total: number | undefined, hasFailed: boolean): ReactNode {
  if (total !== undefined) return strings.eventCount(total, formatNumber(total))
  return hasFailed ? undefined : <Skeleton height={20} width="12rem" />
}
