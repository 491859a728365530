import { VisuallyHidden } from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { lazy, useCallback, useDeferredValue, useEffect, useMemo, useRef } from 'react'
import { InvalidRequest } from '#src/client/errors.ts'
import type { SortKey } from '#src/client/limits.ts'
import { strings } from '#strings/companies.ts'
import { strings as general } from '#strings/general.ts'
import { strings as keyboard } from '#strings/keyboard.ts'
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
import { COMPANIES, listPosition } from '#web/lists/list-position.ts'
import { ListSkeleton } from '#web/lists/list-skeleton.tsx'
import { useListView } from '#web/lists/use-list-view.ts'
import { useRowKeys } from '#web/lists/use-row-keys.ts'
import { TaskKeys } from '#web/tasks/task-keys.tsx'
import { LazyDialog } from '#web/ui/lazy.tsx'
import { usePageTitle } from '#web/ui/page.tsx'
import { useNewRecords } from '#web/views/hooks/use-new-records.ts'
import { ViewNotice } from '#web/views/view-notice.tsx'
import { sortText } from '#web/views/view-state.ts'
import { hasFilters, isSemanticSearch, rememberCompaniesSearch } from './companies-search.ts'
import { ActiveModel } from './components/active-model.tsx'
import { CompanySearch } from './components/company-search.tsx'
import { FacetButton, useFacetColumn } from './components/facets/facet-column.tsx'
import { FacetPanel } from './components/facets/facet-panel.tsx'
import { ListActions } from './components/list-actions.tsx'
import { ListSort } from './components/list-sort.tsx'
import { NoCompanies, SemanticSearchUnavailable } from './components/list-states.tsx'
import { SelectionBar } from './components/selection/selection-bar.tsx'
import { BUILT_IN_COLUMNS, NAME } from './components/table/columns.tsx'
import { CompaniesTable } from './components/table/companies-table.tsx'
import { Triage } from './components/triage/triage.tsx'
import { useCompanyList, useListSearch } from './hooks/use-company-list.ts'
import { useDefaultColumns } from './hooks/use-default-columns.ts'
import { useSearchStatus } from './hooks/use-search-status.ts'
import { useThesisCodes } from './hooks/use-thesis-codes.ts'
import { isListMissing, withoutLongLists } from './kept-ids.ts'
import { beyondPage } from './neighbors.ts'
import { selection } from './selection.ts'
import { selected, shortcutTargetsOf } from './shortcut-targets.ts'

const FacetDrawer = lazy(() => import('./components/facets/facet-drawer.tsx'))
const NewCompanyDialog = lazy(() => import('./components/new-company/new-company-dialog.tsx'))

const NO_ROWS: never[] = []

const ROW_KEYS = {
  group: keyboard.list,
  next: keyboard.nextRow,
  previous: keyboard.previousRow,
  first: keyboard.firstRow,
  last: keyboard.lastRow,
  open: keyboard.openRow,
  select: keyboard.selectRow,
  search: keyboard.searchCompanies,
}

/** The list of companies: views, search, filters, a table, and bulk changes. */
export function CompaniesScreen() {
  usePageTitle(strings.title)
  const [address, change] = useListSearch()
  useEffect(() => rememberCompaniesSearch(withoutLongLists(address)), [address])
  const { defaults, areKnown } = useDefaultColumns()
  const [own, setOwn] = useOwnColumns('company', defaults)
  const view = useListView({ entity: 'company', address, change, own, defaults })
  const { search } = view
  const { list, rows, total, page, pages, limit, isCompact } = useCompanyList(
    search,
    change,
    !view.open.isOpening,
  )
  const newIds = useNewRecords(view.open.view)
  const changeSearch = useCallback<ChangeColumnsSearch>(
    (to) => change((before) => ({ ...to(before), page: before.page }), { replace: true }),
    [change],
  )
  const columns = useColumns({
    ...{ entity: 'company', first: NAME, builtIn: BUILT_IN_COLUMNS, defaults },
    ...{ search, own, setOwn, changeSearch },
  })
  const theses = useThesisCodes()
  const isNarrow = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false }) ?? false
  const facets = useFacetColumn()
  const [isDrawerOpen, drawer] = useDisclosure(false)
  const [isCreating, createDialog] = useDisclosure(false)
  const input = useRef<HTMLInputElement>(null)
  const region = useRef<HTMLDivElement>(null)

  const isSemantic = isSemanticSearch(search)
  const status = useSearchStatus()
  const hasModel = status.data?.is_semantic ?? false
  // Keeps the rows on screen when a refetch fails.
  const isRefused = list.error instanceof InvalidRequest
  const hasFailed = list.isError && (!rows || isRefused)
  const isOff = isSemantic && status.data?.embeddings === 'off'

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
  const sortBy = useCallback((sort: string | undefined) => change({ sort }), [change])
  const sortByKeys = useCallback((keys: SortKey[]) => sortBy(sortText(keys)), [sortBy])
  // The highlighted words belong to the rows on screen. Both update when there is time, so that typing stays
  // responsive.
  const isStale = list.isPlaceholderData
  const shownQuery = useRef(search.q)
  if (!isStale && list.isSuccess) shownQuery.current = search.q
  const query = shownQuery.current?.trim()
  const words = useMemo(() => (query ? [query] : []), [query])
  const shown = useDeferredValue(useMemo(() => ({ rows: rows ?? NO_ROWS, words }), [rows, words]))

  const navigate = useNavigate()
  const open = (id: string) => navigate({ to: '/companies/$id', params: { id }, state: { list: COMPANIES } })
  const isShown = !isStale && rows !== undefined && shown.rows === rows
  const { enter, advance } = useRowKeys({
    ...{ list: COMPANIES, names: ROW_KEYS, rows: shown.rows, isStale: !isShown },
    ...{ search, page, pages, limit, goTo, region, input, open },
    findBeyond: (step) =>
      beyondPage(
        shown.rows.map(({ id }) => id),
        { search, page, pages, limit },
        step,
      ),
  })
  const focused = () => shown.rows.find(({ id }) => id === listPosition.current())
  const targets = () => {
    const company = focused()
    return selection.count() > 0
      ? selected(shown.rows)
      : shortcutTargetsOf(company ? [company.id] : [], shown.rows)
  }

  const hasQuery = Boolean(search.q) || hasFilters(search)
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
        {facets.isShown && (
          <aside className={classes.side} aria-label={strings.filters}>
            <FacetPanel search={search} change={change} />
          </aside>
        )}
        <div className={classes.main}>
          <div className={classes.toolbar}>
            <CompanySearch
              search={search}
              change={change}
              inputRef={input}
              hasModel={hasModel}
              enterList={enter}
            />
            <FilterButton
              entity="company"
              value={search.filter}
              onChange={changeFilter}
              builder={filterBuilder}
            />
            <FacetButton column={facets} openDrawer={drawer.open} />
            {isNarrow && !isSemantic && <ListSort sort={search.sort} sortBy={sortBy} />}
            <ColumnsButton isNarrow={isNarrow} columns={columns} />
            <ListPager page={page} pages={pages} limit={limit} total={total} goTo={goTo} />
          </div>
          <ViewNotice open={view.open} showAll={view.showAll} />
          <FilterChips
            entity="company"
            value={search.filter}
            onChange={changeFilter}
            edit={filterBuilder.open}
          />
          {isSemantic && status.data && <ActiveModel status={status.data} />}
          {isOff || (isSemantic && hasFailed && !isRefused) ? (
            <SemanticSearchUnavailable
              {...(!isOff && { error: list.error })}
              useKeywords={() => change({ by: undefined })}
            />
          ) : hasFailed ? (
            <ListError
              error={list.error}
              retry={() => list.refetch()}
              search={search}
              change={change}
              reason={isListMissing(search) ? strings.listInAnotherTab : undefined}
            />
          ) : list.isPending || !areKnown || (shown.rows.length === 0 && total > 0) ? (
            <ListSkeleton of="companies" isCompact={isCompact} isSearch={Boolean(query)} />
          ) : total === 0 && !isStale ? (
            <NoCompanies search={search} change={change} create={createDialog.open} hasModel={hasModel} />
          ) : (
            <CompaniesTable
              {...shown}
              columns={columns.columns}
              columnActions={columns.actions}
              theses={theses}
              newIds={newIds}
              sort={search.sort}
              sortBy={sortByKeys}
              isSemantic={isSemantic}
              isCompact={isCompact}
              isNarrow={isNarrow}
              isStale={isStale}
              isShown={isShown}
              regionRef={region}
            />
          )}
          <Triage
            hasCalls
            readTargets={targets}
            focused={focused}
            advance={() => selection.count() === 0 && advance()}
          />
          <TaskKeys
            about={() => {
              const company = focused()
              return company ? { type: 'company', id: company.id, name: company.name } : null
            }}
          />
          <SelectionBar search={search} change={change} rows={rows ?? NO_ROWS} total={total} />
          {isStale && <VisuallyHidden role="status">{general.loading}</VisuallyHidden>}
        </div>
      </div>
      {isDrawerOpen && (
        <LazyDialog close={drawer.close}>
          <FacetDrawer search={search} change={change} close={drawer.close} />
        </LazyDialog>
      )}
      {isCreating && (
        <LazyDialog close={createDialog.close}>
          <NewCompanyDialog close={createDialog.close} />
        </LazyDialog>
      )}
    </div>
  )
}
