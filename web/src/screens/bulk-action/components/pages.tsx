import { Group, Pagination } from '@mantine/core'
import { strings } from '#strings/bulk-actions.ts'

interface PagesProps {
  /** The number of pages. */
  pages: number
  page: number
  goTo: (page: number) => void
}

/** Pagination, if there is more than one page. */
export function Pages({ pages, page, goTo }: PagesProps) {
  if (pages < 2) return null
  return (
    <Group justify="center">
      <Pagination
        total={pages}
        value={page}
        onChange={goTo}
        size="sm"
        aria-label={strings.pages}
        getControlProps={(control) => ({ 'aria-label': strings.pageControls[control] })}
      />
    </Group>
  )
}
