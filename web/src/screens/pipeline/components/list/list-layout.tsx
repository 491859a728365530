import { Button, Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useCallback, useMemo, useRef, useState } from 'react'
import { InvalidRequest } from '#src/client/errors.ts'
import { joinSort, MAX_SORT_FIELDS, type SortKey } from '#src/client/limits.ts'
import { strings as general } from '#strings/general.ts'
import { onePage, pageCount } from '#web/api/paging.ts'
import { queries } from '#web/api/queries.ts'
import { useCan } from '#web/api/use-can.ts'
import { ColumnsButton } from '#web/columns/columns-button.tsx'
import { type ChangeColumnsSearch, useColumns } from '#web/columns/use-columns.ts'
import { TaskKeys } from '#web/tasks/task-keys.tsx'
import { Pages } from '#web/ui/pages.tsx'
import { ErrorState } from '#web/ui/states.tsx'
import type { Columns } from '#web/views/column-state.ts'
import { parseSort } from '#web/views/view-state.ts'
import { BoardContext, useBoard } from '../../board-context.ts'
import { aboutFocused, useBoardKeys } from '../../board-keys.ts'
import type { BoardStage } from '../../deal-cache.ts'
import { DEFAULT_COLUMNS, DEFAULT_SORT } from '../../defaults.ts'
import { useSelection } from '../../hooks/use-selection.ts'
import type { DealSelection } from '../../pipeline-query.ts'
import type { PipelineSearch } from '../../pipeline-search.ts'
import { PipelineBar } from '../pipeline-bar.tsx'
import { BUILT_IN_COLUMNS, COMPANY_NAME } from './deal-columns.tsx'
import { DealsTable } from './deals-table.tsx'

interface ListLayoutProps {
  stages: readonly BoardStage[]
  selection: DealSelection
  search: PipelineSearch
  /** The user's columns outside of views. */
  own: Columns
  setOwn: (columns: Columns) => void
}

const PAGE_SIZE = 100
const NOTHING_HIDDEN = { before: 0, after: 0 }

/** The sort of the list. Deals with equal values are in the order of the board. */
function sortOf(sort: string): string {
  const keys = parseSort(sort)
  const others = ['probability', 'id']
    .filter((other) => keys.every(({ field }) => field !== other))
    .map((field) => ({ field, direction: 'desc' as const }))
  return joinSort([...keys, ...others].slice(0, MAX_SORT_FIELDS))
}

/** The deals as a list, page by page. */
export default function ListLayout({ stages, selection, search, own, setOwn }: ListLayoutProps) {
  const { stage, sort = DEFAULT_SORT, page = 1, deal: open } = search
  const navigate = useNavigate({ from: '/pipeline' })
  const found = useQuery(
    queries.deals({
      ...selection,
      ...(stage && { stage }),
      sort: sortOf(sort),
      ...onePage(page, PAGE_SIZE),
    }),
  )
  const deals = useMemo(() => found.data?.data ?? [], [found.data])
  const selected = useSelection(deals)
  const changeSearch = useCallback<ChangeColumnsSearch>(
    (to) =>
      navigate({
        to: '/pipeline',
        search: (before) => ({ ...before, ...to(before) }),
        state: true,
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  )
  const columns = useColumns({
    ...{ entity: 'deal', first: COMPANY_NAME, builtIn: BUILT_IN_COLUMNS, defaults: DEFAULT_COLUMNS },
    ...{ search, own, setOwn, changeSearch },
  })
  const sortBy = (keys: SortKey[]) =>
    navigate({
      to: '/pipeline',
      search: ({ page: _page, sort: _sort, ...before }) => ({
        ...before,
        ...(keys.length > 0 && { sort: joinSort(keys) }),
      }),
      resetScroll: false,
    })
  const [isMoving, setMoving] = useState(false)
  const mayWrite = useCan('write')
  const rows = useRef<HTMLTableSectionElement>(null)
  const region = useRef<HTMLDivElement>(null)
  useBoardKeys({ region: rows, selected, shown: deals, hasColumns: false, mayWrite, setMoving })
  const board = useBoard()
  const context = useMemo(() => ({ ...board, toggle: selected.toggle }), [board, selected.toggle])
  return (
    <BoardContext value={context}>
      <TaskKeys about={() => aboutFocused(deals)} />
      <PipelineBar
        {...{ columns: stages, selected, isMoving, setMoving }}
        hidden={NOTHING_HIDDEN}
        scroll={() => {}}
      >
        <ColumnsButton isNarrow={false} columns={columns} />
      </PipelineBar>
      {found.isPending && <Skeleton height="24rem" aria-busy />}
      {found.isError && (
        <ErrorState error={found.error} retry={() => found.refetch()}>
          {found.error instanceof InvalidRequest && search.sort !== undefined && (
            <Button size="xs" variant="default" onClick={() => sortBy([])}>
              {general.resetSort}
            </Button>
          )}
        </ErrorState>
      )}
      {found.data && (
        <Stack gap="sm">
          <DealsTable
            {...{ deals, selected, open, sort, sortBy, region, rows }}
            columns={columns.columns}
            columnActions={columns.actions}
            isStale={found.isPlaceholderData}
          />
          <Pages
            query={found}
            pages={pageCount(found.data, PAGE_SIZE)}
            page={page}
            goTo={(to, replace = false) => {
              region.current?.scrollTo({ top: 0 })
              navigate({ to: '/pipeline', search: (before) => ({ ...before, page: to }), replace })
            }}
          />
        </Stack>
      )}
    </BoardContext>
  )
}
