import { Group, Pagination } from '@mantine/core'
import { strings } from '#strings/general.ts'

interface PagesProps {
  /** The number of pages. */
  pages: number
  /** Starts at 1. */
  page: number
  goTo: (page: number) => void
}

/** Pagination, if there is more than one page. */
export function Pages({ pages, page, goTo }: PagesProps) {
  if (pages < 2) return null
  return (
    <Group justify="center" component="nav" aria-label={strings.pages}>
      <Pagination
        total={pages}
        value={page}
        onChange={goTo}
        size="sm"
        getControlProps={(control) => ({ 'aria-label': strings.pageControls[control] })}
        getItemProps={(item) => ({ 'aria-label': strings.toPage(item) })}
      />
    </Group>
  )
}
