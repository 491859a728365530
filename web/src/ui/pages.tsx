import { Group, Pagination } from '@mantine/core'
import { useEffect } from 'react'
import { strings } from '#strings/general.ts'

interface PagesProps {
  /** The query of the list: while it is loading, its number of pages may be that of an earlier list. */
  query: { isFetching: boolean; isPlaceholderData: boolean }
  /** The number of pages. */
  pages: number
  /** Starts at 1. */
  page: number
  /** Goes to a page, in place of one that no longer exists if `replace` is true. */
  goTo: (page: number, replace?: boolean) => void
}

/** Pagination, if there is more than one page. When the last page loses its last record, goes to the previous page. */
export function Pages({ query, pages, page, goTo }: PagesProps) {
  const isSettled = !query.isFetching && !query.isPlaceholderData
  const isGone = isSettled && pages > 0 && page > pages
  useEffect(() => {
    if (isGone) goTo(pages, true)
  }, [isGone, pages, goTo])
  if (pages < 2) return null
  return (
    <Group justify="center" component="nav" aria-label={strings.pages}>
      <Pagination
        total={pages}
        value={page}
        onChange={(chosen) => goTo(chosen)}
        size="sm"
        getControlProps={(control) => ({ 'aria-label': strings.pageControls[control] })}
        getItemProps={(item) => ({ 'aria-label': strings.toPage(item) })}
      />
    </Group>
  )
}
