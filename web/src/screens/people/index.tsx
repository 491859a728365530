import { VisuallyHidden } from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { lazy, useCallback, useDeferredValue, useEffect, useRef } from 'react'
import { InvalidRequest } from '#src/client/errors.ts'
import type { SortKey } from '#src/client/limits.ts'
import { strings as general } from '#strings/general.ts'
import { strings } from '#strings/people.ts'
import { fieldQueries } from '#web/api/field-queries.ts'
import { queryClient } from '#web/api/query-client.ts'
import { useCan } from '#web/api/use-can.ts'
import { ColumnsButton } from '#web/columns/columns-button.tsx'
import { type ChangeColumnsSearch, useColumns } from '#web/columns/use-columns.ts'
import { useOwnColumns } from '#web/columns/use-own-columns.ts'
import { FilterButton, useFilterBuilder } from '#web/filters/filter-button.tsx'
import { FilterChips } from '#web/filters/filter-chips.tsx'
import type { Filter } from '#web/filters/tree.ts'
import classes from '#web/lists/list.module.css'
import { ListError } from '#web/lists/list-error.tsx'
import { ListHeader } from '#web/lists/list-header.tsx'
import { ListPager } from '#web/lists/list-pager.tsx'
import { listPosition, PEOPLE } from '#web/lists/list-position.ts'
import { type ChangeSearch, changedSearch, type ListSearch } from '#web/lists/list-search.ts'
import { ListSkeleton } from '#web/lists/list-skeleton.tsx'
import { SearchBox } from '#web/lists/search-box.tsx'
import { pageSize, useListPage } from '#web/lists/use-list-page.ts'
import { useListView } from '#web/lists/use-list-view.ts'
import { useRowKeys } from '#web/lists/use-row-keys.ts'
import { TaskKeys } from '#web/tasks/task-keys.tsx'
import { LazyDialog } from '#web/ui/lazy.tsx'
import { usePageTitle } from '#web/ui/page.tsx'
import { SortSelect } from '#web/ui/sort-select.tsx'
import { useIsCompact } from '#web/ui/use-preferences.ts'
import { useNewRecords } from '#web/views/hooks/use-new-records.ts'
import { ViewNotice } from '#web/views/view-notice.tsx'
import { sortText } from '#web/views/view-state.ts'
import { BUILT_IN_COLUMNS, DEFAULT_COLUMNS, NAME } from './components/columns.tsx'
import { ListActions } from './components/list-actions.tsx'
import { NoPeople } from './components/no-people.tsx'
import { PeopleTable } from './components/people-table.tsx'
import { SelectionBar } from './components/selection-bar.tsx'
import { useSelectedPeople } from './hooks/use-selected-people.ts'
import { peoplePage } from './people-query.ts'
import { rememberPeopleSearch } from './people-search.ts'

const NewPersonDialog = lazy(() => import('#web/people/new-person-dialog.tsx'))

const route = getRouteApi('/shell/people')
const NO_ROWS: never[] = []

const ROW_KEYS = {
  group: strings.listGroup,
  next: strings.nextRow,
  previous: strings.previousRow,
  first: strings.firstRow,
  last: strings.lastRow,
  open: strings.openRow,
  select: strings.selectRow,
  search: strings.search,
}

const SORTS = [
  { value: '-created_at', label: strings.sortNewest },
  { value: '-updated_at', label: strings.sortUpdated },
  { value: 'name', label: strings.sortName },
]

/** The query in the address, and a function that changes it. */
function useListSearch(): [ListSearch, ChangeSearch] {
  const navigate = route.useNavigate()
  const change = useCallback<ChangeSearch>(
    (changes, { replace = false } = {}) =>
      navigate({
        search: (before: ListSearch) => changedSearch(before, changes),
        replace,
        resetScroll: typeof changes !== 'function' && 'page' in changes,
      }),
    [navigate],
  )
  return [route.useSearch(), change]
}

/** The list of people: views, search, filters, and a table. */
export function PeopleScreen() {
  usePageTitle(strings.title)
  const [address, change] = useListSearch()
  useEffect(() => rememberPeopleSearch(address), [address])
  const [own, setOwn] = useOwnColumns('person', DEFAULT_COLUMNS)
  const view = useListView({ entity: 'person', address, change, own, defaults: DEFAULT_COLUMNS })
  const { search } = view
  const isCompact = useIsCompact()
  const limit = pageSize(isCompact)
  const list = useQuery({
    ...peoplePage(search, search.page ?? 1, limit),
    enabled: !view.open.isOpening,
  })
  const { rows, total, page, pages } = useListPage({ list, page: search.page ?? 1, limit, change })
  const areFieldsPending = useQuery(fieldQueries.fields('person')).isPending
  const newIds = useNewRecords(view.open.view)
  const changeSearch = useCallback<ChangeColumnsSearch>(
    (to) => change((before) => ({ ...to(before), page: before.page }), { replace: true }),
    [change],
  )
  const columns = useColumns({
    ...{ entity: 'person', first: NAME, builtIn: BUILT_IN_COLUMNS, defaults: DEFAULT_COLUMNS },
    ...{ search, own, setOwn, changeSearch },
  })
  const isNarrow = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false }) ?? false
  const [isCreating, createDialog] = useDisclosure(false)
  const input = useRef<HTMLInputElement>(null)
  const region = useRef<HTMLDivElement>(null)
  const goTo = useCallback(
    (target: number) => {
      region.current?.scrollTo({ top: 0 })
      change({ page: target > 1 ? target : undefined })
    },
    [change],
  )
  const filterBuilder = useFilterBuilder()
  const changeFilter = useCallback(
    (filter: Filter | undefined, options?: { replace: boolean }) => change({ filter }, options),
    [change],
  )
  const sortByKeys = useCallback((keys: SortKey[]) => change({ sort: sortText(keys) }), [change])
  const isStale = list.isPlaceholderData
  const shown = useDeferredValue(rows ?? NO_ROWS)
  const selected = useSelectedPeople(shown)
  const mayMerge = useCan('delete')
  const navigate = useNavigate()
  const { enter } = useRowKeys({
    ...{ list: PEOPLE, names: ROW_KEYS, rows: shown, isStale: isStale || shown !== rows },
    ...{ search, page, pages, limit, goTo, region, input },
    findBeyond: async (step) => {
      const target = page + step
      if (target < 1 || target > pages) return undefined
      const { data } = await queryClient.fetchQuery(peoplePage(search, target, limit))
      const id = data.at(step > 0 ? 0 : -1)?.id
      return id === undefined ? undefined : { id, page: target }
    },
    open: (id) => navigate({ to: '/people/$id', params: { id }, state: { list: PEOPLE } }),
  })
  const hasQuery = Boolean(search.q) || search.filter !== undefined
  const hasFailed = list.isError && (!rows || list.error instanceof InvalidRequest)
  return (
    <div className={classes.page}>
      <ListHeader
        title={strings.title}
        count={rows ? (hasQuery ? strings.matches(total) : strings.count(total)) : '\u00a0'}
        view={view}
      >
        <ListActions search={search} total={total} create={createDialog.open} />
      </ListHeader>
      <div className={classes.screen}>
        <div className={classes.main}>
          <div className={classes.toolbar}>
            <SearchBox
              label={strings.search}
              placeholder={strings.searchPlaceholder}
              group={strings.listGroup}
              q={search.q}
              search={(q, options) => change({ q }, options)}
              inputRef={input}
              enterList={enter}
            />
            <FilterButton
              entity="person"
              value={search.filter}
              onChange={changeFilter}
              builder={filterBuilder}
              size="xs"
            />
            {isNarrow && (
              <SortSelect
                sorts={SORTS}
                sort={search.sort}
                sortBy={(sort) => change({ sort })}
                className={classes.sort}
              />
            )}
            <ColumnsButton isNarrow={isNarrow} columns={columns} />
            <ListPager page={page} pages={pages} limit={limit} total={total} goTo={goTo} />
          </div>
          <ViewNotice open={view.open} showAll={view.showAll} />
          <FilterChips
            entity="person"
            value={search.filter}
            onChange={changeFilter}
            edit={filterBuilder.open}
          />
          {hasFailed ? (
            <ListError error={list.error} retry={() => list.refetch()} search={search} change={change} />
          ) : list.isPending || areFieldsPending || (shown.length === 0 && total > 0) ? (
            <ListSkeleton of="people" isCompact={isCompact} />
          ) : total === 0 && !isStale ? (
            <NoPeople search={search} change={change} create={createDialog.open} />
          ) : (
            <PeopleTable
              rows={shown}
              columns={columns.columns}
              columnActions={columns.actions}
              newIds={newIds}
              selected={mayMerge ? selected : undefined}
              sort={search.sort}
              sortBy={sortByKeys}
              isCompact={isCompact}
              isNarrow={isNarrow}
              isStale={isStale}
              regionRef={region}
            />
          )}
          <TaskKeys
            about={() => {
              const person = shown.find(({ id }) => id === listPosition.current(PEOPLE))
              return person ? { type: 'person', id: person.id, name: person.name } : null
            }}
          />
          <SelectionBar selected={selected} />
          {isStale && <VisuallyHidden role="status">{general.loading}</VisuallyHidden>}
        </div>
      </div>
      {isCreating && (
        <LazyDialog close={createDialog.close}>
          <NewPersonDialog close={createDialog.close} />
        </LazyDialog>
      )}
    </div>
  )
}
