import { Group, Pagination, Text } from '@mantine/core'
import { strings } from '#strings/companies.ts'

interface ListPagerProps {
  page: number
  pages: number
  limit: number
  total: number
  goTo: (page: number) => void
  prefetch: (page: number) => void
}

/** Pagination. Pointing at a page prefetches it. */
export function ListPager({ page, pages, limit, total, goTo, prefetch }: ListPagerProps) {
  if (total === 0) return null
  const from = (page - 1) * limit + 1
  const reading = (target: number) => ({
    onPointerEnter: () => prefetch(target),
    onFocus: () => prefetch(target),
  })
  return (
    <Group justify="space-between" gap="xs" component="nav" aria-label={strings.pager}>
      <Text size="sm" c="dimmed">
        {strings.range(from, Math.min(total, from + limit - 1), total)}
      </Text>
      {pages > 1 && (
        <Pagination
          size="sm"
          total={pages}
          value={page}
          onChange={goTo}
          getItemProps={(item) => ({ 'aria-label': strings.page(item), ...reading(item) })}
          getControlProps={(control) => {
            if (control === 'previous') return { 'aria-label': strings.previous, ...reading(page - 1) }
            if (control === 'next') return { 'aria-label': strings.next, ...reading(page + 1) }
            return {}
          }}
        />
      )}
    </Group>
  )
}
