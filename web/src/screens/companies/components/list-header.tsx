import { Text, Title } from '@mantine/core'
import { strings } from '#strings/companies.ts'
import { ViewBar } from '#web/views/view-bar.tsx'
import type { CompaniesSearch } from '../companies-search.ts'
import type { useListView } from '../hooks/use-list-view.ts'
import classes from './companies.module.css'
import { ListActions } from './list-actions.tsx'

interface ListHeaderProps {
  /** How many companies the list shows, as text. */
  count: string
  total: number
  search: CompaniesSearch
  create: () => void
  view: ReturnType<typeof useListView>
}

/** The title of the list, its views, and the actions for the whole list, in one line. */
export function ListHeader({ count, total, search, create, view }: ListHeaderProps) {
  return (
    <header className={classes.header}>
      <div className={classes.title}>
        <Title order={1} size="h4">
          {strings.title}
        </Title>
        <Text span size="xs" c="dimmed" role="status">
          {count}
        </Text>
      </div>
      <div className={classes.views}>
        <ViewBar {...view} />
      </div>
      <div className={classes.actions}>
        <ListActions search={search} total={total} create={create} />
      </div>
    </header>
  )
}
