import { Stack } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { strings as keyboard } from '#strings/keyboard.ts'
import { strings } from '#strings/trash.ts'
import { onePage, pageCount } from '#web/api/paging.ts'
import { queries } from '#web/api/queries.ts'
import type { TrashEntry } from '#web/api/service.ts'
import { useActions } from '#web/keyboard/actions.ts'
import { Page } from '#web/ui/page.tsx'
import { Pages } from '#web/ui/pages.tsx'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import { EmptyState, ErrorState, SkeletonLines } from '#web/ui/states.tsx'
import { PurgeDialog } from './components/purge-dialog.tsx'
import { TrashTable } from './components/trash-table.tsx'
import type { TrashSearch } from './trash-search.ts'

const route = getRouteApi('/shell/trash')
const PAGE_SIZE = 50
const TYPES = [
  { value: '', label: strings.all },
  ...Object.entries(strings.types).map(([value, label]) => ({ value, label })),
]

/** The deleted records, which can be restored, and permanently deleted by admins. */
export function TrashScreen() {
  const { type, page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  const trash = useQuery(queries.trash({ ...onePage(page, PAGE_SIZE), ...(type && { entity_type: type }) }))
  const [purged, purge] = useState<TrashEntry | null>(null)
  const total = trash.data?.pagination.total
  const show = (chosen: string) => navigate({ search: chosen ? ({ type: chosen } as TrashSearch) : {} })
  useActions(
    TYPES.filter(({ value }) => value !== (type ?? '')).map(({ value, label }) => ({
      id: `show-trash-${value}`,
      label: keyboard.show(label),
      group: keyboard.screen,
      run: () => show(value),
    })),
  )
  return (
    <Page
      title={strings.title}
      description={<span role="status">{total === undefined ? '\u00a0' : strings.description(total)}</span>}
    >
      <Stack gap="md" align="flex-start">
        <SegmentedControl
          aria-label={strings.type}
          value={type ?? ''}
          onChange={show}
          data={TYPES}
          style={{ maxWidth: '100%', overflowX: 'auto' }}
        />
      </Stack>
      {trash.isPending && <SkeletonLines lines={8} height={26} />}
      {trash.isError && !trash.data && <ErrorState error={trash.error} retry={() => trash.refetch()} />}
      {total === 0 && (
        <EmptyState icon={<IconTrash aria-hidden />} title={type ? strings.emptyForType : strings.emptyTitle}>
          {strings.empty}
        </EmptyState>
      )}
      {trash.data && trash.data.data.length > 0 && (
        <TrashTable entries={trash.data.data} purge={purge} isStale={trash.isPlaceholderData} />
      )}
      <Pages
        query={trash}
        pages={pageCount(trash.data, PAGE_SIZE)}
        page={page}
        goTo={(chosen, replace = false) =>
          navigate({ search: { ...(type && { type }), ...(chosen > 1 && { page: chosen }) }, replace })
        }
      />
      {purged && <PurgeDialog entry={purged} close={() => purge(null)} />}
    </Page>
  )
}
