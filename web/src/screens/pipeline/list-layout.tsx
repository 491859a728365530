import { Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useRef, useState } from 'react'
import { joinSort, MAX_SORT_FIELDS } from '#src/client/limits.ts'
import { queries } from '#web/service/queries.ts'
import { useMay } from '#web/service/use-may.ts'
import { Pages } from '#web/ui/pages.tsx'
import { ErrorState } from '#web/ui/states.tsx'
import { parseSort } from '#web/views/view-state.ts'
import { BoardContext, useBoard } from './board-context.ts'
import { useBoardKeys } from './board-keys.ts'
import type { BoardStage } from './deal-cache.ts'
import { DealsTable } from './deals-table.tsx'
import { PipelineBar } from './pipeline-bar.tsx'
import type { DealSelection } from './pipeline-query.ts'
import type { PipelineSearch } from './pipeline-search.ts'
import { useSelection } from './use-selection.ts'

interface ListLayoutProps {
  columns: readonly BoardStage[]
  selection: DealSelection
  search: PipelineSearch
}

const PAGE_SIZE = 100
const NOTHING_HIDDEN = { before: 0, after: 0 }

/** The sort of the list. Within equal values, the order is that of the board. */
function sortOf(sort: string): string {
  const keys = parseSort(sort)
  const others = ['probability', 'id']
    .filter((other) => keys.every(({ field }) => field !== other))
    .map((field) => ({ field, direction: 'desc' as const }))
  return joinSort([...keys, ...others].slice(0, MAX_SORT_FIELDS))
}

/** The deals as a list, page by page. */
export function ListLayout({ columns, selection, search }: ListLayoutProps) {
  const { stage, sort = 'stage', page = 1, deal: open } = search
  const navigate = useNavigate({ from: '/pipeline' })
  const found = useQuery(
    queries.deals({
      ...selection,
      ...(stage && { stage }),
      sort: sortOf(sort),
      limit: PAGE_SIZE,
      offset: (page - 1) * PAGE_SIZE,
    }),
  )
  const deals = useMemo(() => found.data?.data ?? [], [found.data])
  const selected = useSelection(deals)
  const [isMoving, setMoving] = useState(false)
  const mayWrite = useMay('write')
  const rows = useRef<HTMLTableSectionElement>(null)
  useBoardKeys({ region: rows, selected, shown: deals, hasColumns: false, mayWrite, setMoving })
  const board = useBoard()
  const context = useMemo(() => ({ ...board, toggle: selected.toggle }), [board, selected.toggle])
  return (
    <BoardContext value={context}>
      <PipelineBar
        {...{ columns, selected, isMoving, setMoving }}
        hidden={NOTHING_HIDDEN}
        scroll={() => {}}
      />
      {found.isPending && <Skeleton height="24rem" />}
      {found.isError && <ErrorState error={found.error} retry={() => found.refetch()} />}
      {found.data && !found.isError && (
        <Stack gap="sm" aria-busy={found.isPlaceholderData}>
          <DealsTable
            deals={deals}
            selected={selected.ids}
            open={open}
            sort={sort}
            onSort={(by) =>
              navigate({ to: '/pipeline', search: ({ page: _page, ...before }) => ({ ...before, sort: by }) })
            }
            rows={rows}
          />
          <Pages
            query={found}
            pages={Math.ceil(found.data.pagination.total / PAGE_SIZE)}
            page={page}
            goTo={(to, replace = false) =>
              navigate({ to: '/pipeline', search: (before) => ({ ...before, page: to }), replace })
            }
          />
        </Stack>
      )}
    </BoardContext>
  )
}
