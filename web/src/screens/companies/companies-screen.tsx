import { Button, Drawer, VisuallyHidden } from '@mantine/core'
import { useDisclosure, useHotkeys, useMediaQuery } from '@mantine/hooks'
import { IconFilter } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useDeferredValue, useEffect, useMemo, useRef } from 'react'
import { strings } from '#strings/companies.ts'
import { strings as general } from '#strings/general.ts'
import { queries } from '#web/service/queries.ts'
import { LazyDialog } from '#web/ui/lazy-dialog.tsx'
import { Page } from '#web/ui/page.tsx'
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx'
import { ActiveFilters } from './active-filters.tsx'
import { AnsweringModel } from './answering-model.tsx'
import { COLUMNS, useColumnChoice } from './columns.tsx'
import classes from './companies.module.css'
import { type CompanySort, filtersOf, isSemanticSearch, rememberCompaniesSearch } from './companies-search.ts'
import { CompaniesTable } from './companies-table.tsx'
import { useThesisCodes } from './filter-labels.ts'
import { KeyboardHelp } from './keyboard-help.tsx'
import { ListActions } from './list-actions.tsx'
import { ListPager } from './list-pager.tsx'
import { ListSkeleton, NoCompanies, SemanticSearchUnavailable } from './list-states.tsx'
import { SearchBox } from './search-box.tsx'
import { useCompanyList, useListSearch } from './use-company-list.ts'
import { useRowKeys } from './use-row-keys.ts'
import { ViewMenu } from './view-menu.tsx'

// Loaded after the list itself.
const FacetPanel = lazy(async () => ({ default: (await import('./facet-panel.tsx')).FacetPanel }))
const ListSort = lazy(async () => ({ default: (await import('./list-sort.tsx')).ListSort }))
const NewCompanyDialog = lazy(() => import('./new-company-dialog.tsx'))
const SelectionBar = lazy(async () => ({ default: (await import('./selection-bar.tsx')).SelectionBar }))

const NO_ROWS: never[] = []

/** The list of companies: search, filters, a table, and bulk changes. */
export function CompaniesScreen() {
  const [search, change] = useListSearch()
  useEffect(() => rememberCompaniesSearch(search), [search])
  const { list, rows, total, page, pages, limit, isCompact, prefetch } = useCompanyList(search, change)
  const [columnKeys, setColumnKeys] = useColumnChoice()
  const columns = useMemo(() => COLUMNS.filter(({ key }) => columnKeys.includes(key)), [columnKeys])
  const theses = useThesisCodes()
  const isNarrow = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false }) ?? false
  const isShort = useMediaQuery('(max-width: 61.99em)', false, { getInitialValueInEffect: false }) ?? false
  const [isDrawerOpen, drawer] = useDisclosure(false)
  const [isCreating, createDialog] = useDisclosure(false)
  const input = useRef<HTMLInputElement>(null)
  const region = useRef<HTMLDivElement>(null)
  useHotkeys([['/', () => input.current?.focus()]])

  const isSemantic = isSemanticSearch(search)
  const status = useQuery(queries.searchStatus())
  const hasModel = status.data?.is_semantic ?? !status.isError
  // Keeps the rows on screen when a refetch fails.
  const hasFailed = list.isError && !rows
  const isOff = isSemantic && status.data?.embeddings === 'off'

  const goTo = useCallback(
    (target: number) => {
      region.current?.scrollTo({ top: 0 })
      change({ page: target > 1 ? target : undefined })
    },
    [change],
  )
  const sortBy = useCallback((sort: CompanySort | undefined) => change({ sort }), [change])
  const onKeyDown = useRowKeys({ page, pages, goTo })

  // The highlighted words belong to the rows on screen. Both update when there is time, so that typing stays
  // responsive.
  const isStale = list.isPlaceholderData
  const shownQuery = useRef(search.q)
  if (!isStale && list.isSuccess) shownQuery.current = search.q
  const query = shownQuery.current?.trim()
  const words = useMemo(() => (query ? [query] : []), [query])
  const shown = useDeferredValue(useMemo(() => ({ rows: rows ?? NO_ROWS, words }), [rows, words]))

  const hasQuery = Boolean(search.q) || Object.keys(filtersOf(search)).length > 0
  const filterCount = Object.keys(filtersOf(search)).length
  return (
    <Page
      title={strings.title}
      description={
        <span role="status">
          {rows ? (hasQuery ? strings.matches(total) : strings.count(total)) : '\u00a0'}
        </span>
      }
      actions={<ListActions search={search} total={total} create={createDialog.open} isShort={isShort} />}
    >
      <div className={classes.screen}>
        <aside className={classes.side} aria-label={strings.filters}>
          <Suspense fallback={<SkeletonLines lines={12} />}>
            <FacetPanel search={search} change={change} />
          </Suspense>
        </aside>
        <div className={classes.main}>
          <div className={classes.toolbar}>
            <SearchBox search={search} change={change} inputRef={input} hasModel={hasModel} />
            <Button
              variant="default"
              className={classes.filterButton}
              leftSection={<IconFilter size={16} aria-hidden />}
              rightSection={filterCount > 0 && <span className={classes.filterCount}>{filterCount}</span>}
              aria-label={filterCount > 0 ? strings.filtersActive(filterCount) : strings.filters}
              onClick={drawer.open}
            >
              {strings.filters}
            </Button>
            <Suspense>{isNarrow && !isSemantic && <ListSort sort={search.sort} sortBy={sortBy} />}</Suspense>
            <ViewMenu isNarrow={isNarrow} isCompact={isCompact} shown={columnKeys} show={setColumnKeys} />
            {!isNarrow && <KeyboardHelp />}
          </div>
          <ActiveFilters search={search} change={change} />
          {isSemantic && status.data && <AnsweringModel status={status.data} />}
          {isOff || (isSemantic && hasFailed) ? (
            <SemanticSearchUnavailable
              {...(!isOff && { error: list.error })}
              useKeywords={() => change({ by: undefined })}
            />
          ) : hasFailed ? (
            <ErrorState error={list.error} retry={() => list.refetch()} />
          ) : list.isPending || (shown.rows.length === 0 && total > 0) ? (
            <ListSkeleton isCompact={isCompact} />
          ) : total === 0 && !isStale ? (
            <NoCompanies search={search} change={change} create={createDialog.open} hasModel={hasModel} />
          ) : (
            <>
              <CompaniesTable
                {...shown}
                columns={columns}
                theses={theses}
                sort={search.sort}
                sortBy={sortBy}
                isSemantic={isSemantic}
                isCompact={isCompact}
                isNarrow={isNarrow}
                isStale={isStale}
                onKeyDown={onKeyDown}
                regionRef={region}
              />
              <ListPager
                page={page}
                pages={pages}
                limit={limit}
                total={total}
                goTo={goTo}
                prefetch={prefetch}
              />
            </>
          )}
          <Suspense>
            <SelectionBar search={search} rows={rows ?? NO_ROWS} total={total} />
          </Suspense>
          {isStale && <VisuallyHidden role="status">{general.loading}</VisuallyHidden>}
        </div>
      </div>
      <Drawer opened={isDrawerOpen} onClose={drawer.close} title={strings.filters} size="xs">
        <Suspense fallback={<SkeletonLines lines={12} />}>
          <FacetPanel search={search} change={change} />
        </Suspense>
      </Drawer>
      {isCreating && (
        <LazyDialog close={createDialog.close}>
          <NewCompanyDialog close={createDialog.close} />
        </LazyDialog>
      )}
    </Page>
  )
}
