import { Pagination, Text } from '@mantine/core'
import { strings } from '#strings/lists.ts'
import classes from './list.module.css'

interface ListPagerProps {
  page: number
  pages: number
  limit: number
  total: number
  goTo: (page: number) => void
}

/** The range of rows on the page, and buttons to turn it. */
export function ListPager({ page, pages, limit, total, goTo }: ListPagerProps) {
  // Keeps its space in narrow windows, so that nothing moves when the rows arrive.
  if (total === 0) return <div className={classes.pager} />
  const from = (page - 1) * limit + 1
  return (
    <nav className={classes.pager} aria-label={strings.pager}>
      <Text size="xs" c="dimmed" className={classes.range}>
        {strings.range(from, Math.min(total, from + limit - 1), total)}
      </Text>
      {pages > 1 && (
        <Pagination
          size={26}
          gap={2}
          total={pages}
          value={page}
          onChange={goTo}
          withPages={false}
          withEdges
          getControlProps={(control) => ({ 'aria-label': strings[control] })}
        />
      )}
    </nav>
  )
}
