import { Button, VisuallyHidden } from '@mantine/core'
import { IconFiles } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useRef } from 'react'
import { strings } from '#strings/files.ts'
import { strings as general } from '#strings/general.ts'
import { fileQueries } from '#web/api/file-queries.ts'
import { onePage, pageCount } from '#web/api/paging.ts'
import { queryClient } from '#web/api/query-client.ts'
import { useCan } from '#web/api/use-can.ts'
import { runAction } from '#web/keyboard/actions.ts'
import { useRowKeys } from '#web/lists/use-row-keys.ts'
import { Page } from '#web/ui/page.tsx'
import { Pages } from '#web/ui/pages.tsx'
import { EmptyState, ErrorState, SkeletonLines } from '#web/ui/states.tsx'
import { FileFilterBar } from './components/file-filters.tsx'
import { FileList } from './components/file-list.tsx'
import { type FileFilters, filesQuery } from './files-search.ts'
import { useDeleteKey } from './hooks/use-delete-key.ts'

const route = getRouteApi('/shell/files')
const FILES = '/files'
const PAGE_SIZE = 50
const NO_FILES: never[] = []

const ROW_KEYS = {
  ...{ group: strings.group, next: strings.next, previous: strings.previous, first: strings.first },
  ...{ last: strings.last, open: strings.openRow, select: strings.openRow, search: strings.search },
}

/** All files that the user may see, with search in their names and text. */
export function FilesScreen() {
  const search = route.useSearch()
  const { page = 1, ...filters } = search
  const navigate = route.useNavigate()
  const mayWrite = useCan('write')
  const pageQuery = (of: number) => fileQueries.files({ ...filesQuery(filters), ...onePage(of, PAGE_SIZE) })
  const list = useQuery(pageQuery(page))
  const rows = list.data?.data ?? NO_FILES
  const total = list.data?.pagination.total
  const region = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const change = (to: FileFilters & { page?: number }, replace = true) =>
    navigate({ search: to, replace, resetScroll: false })
  const pages = Math.max(1, pageCount(list.data, PAGE_SIZE))
  const goTo = (target: number, replace = false) =>
    change({ ...filters, ...(target > 1 && { page: target }) }, replace)
  const { enter, advance } = useRowKeys({
    ...{ list: FILES, names: ROW_KEYS, rows, isStale: list.isPlaceholderData || list.isPending },
    ...{ search: {}, page, pages, limit: PAGE_SIZE, goTo, region, input },
    findBeyond: async (step) => {
      const target = page + step
      if (target < 1 || target > pages) return undefined
      const found = await queryClient.fetchQuery(pageQuery(target))
      const id = found.data.at(step > 0 ? 0 : -1)?.id
      return id === undefined ? undefined : { id, page: target }
    },
    open: (id) => document.querySelector<HTMLElement>(`a[data-record="${CSS.escape(id)}"]`)?.click(),
  })
  useDeleteKey(rows, FILES, advance)
  const set = (name: keyof FileFilters, value: string | boolean | undefined) => {
    const { [name]: _previous, ...others } = filters
    change({ ...others, ...(value && ({ [name]: value } as FileFilters)) })
  }
  const add = () => runAction('add-file')
  const isFiltered = Object.keys(filters).length > 0
  return (
    <Page
      title={strings.title}
      actions={mayWrite && <Button onClick={add}>{strings.addFile}</Button>}
      description={<span role="status">{total === undefined ? '\u00a0' : strings.count(total)}</span>}
    >
      <FileFilterBar {...{ filters, set, clear: () => change({}), enterList: enter }} inputRef={input} />
      {list.isPending && <SkeletonLines lines={8} height={26} />}
      {list.isError && !list.data && <ErrorState error={list.error} retry={() => list.refetch()} />}
      {total === 0 && (
        <EmptyState
          icon={<IconFiles aria-hidden />}
          title={isFiltered ? strings.noMatch : strings.noneTitle}
          action={!isFiltered && mayWrite && <Button onClick={add}>{strings.addFile}</Button>}
        >
          {isFiltered ? strings.noMatchHelp : strings.noneOfAll}
        </EmptyState>
      )}
      <div ref={region}>
        {rows.length > 0 && <FileList files={rows} search={filters.q} isStale={list.isPlaceholderData} />}
      </div>
      <Pages query={list} pages={pages} page={page} goTo={goTo} />
      {list.isPlaceholderData && <VisuallyHidden role="status">{general.loading}</VisuallyHidden>}
    </Page>
  )
}
