import { Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import type { ListView } from '#web/views/hooks/use-view-address.ts'
import { ViewBar } from '#web/views/view-bar.tsx'
import classes from './list.module.css'
import type { ListSearch } from './list-search.ts'

interface ListHeaderProps {
  title: string
  /** How many records the list shows, as text. */
  count: string
  view: ListView<ListSearch>
  /** The actions for the whole list. */
  children: ReactNode
}

/** The title of the list, its views, and the actions for the whole list, in one line. */
export function ListHeader({ title, count, view, children }: ListHeaderProps) {
  return (
    <header className={classes.header}>
      <div className={classes.title}>
        <Title order={1} size="h4">
          {title}
        </Title>
        <Text span size="xs" c="dimmed" role="status">
          {count}
        </Text>
      </div>
      <div className={classes.views}>
        <ViewBar {...view} />
      </div>
      <div className={classes.actions}>{children}</div>
    </header>
  )
}
