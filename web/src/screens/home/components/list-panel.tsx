import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { ErrorState } from '#web/ui/states.tsx'
import { Panel } from './panel.tsx'
import classes from './rows.module.css'

interface Loaded {
  isError: boolean
  error: unknown
  refetch: () => unknown
}

interface ListPanelProps<T> {
  title: string
  /** What the rows come from. Its error takes their place. */
  query: Loaded
  /** undefined while loading. */
  rows: readonly T[] | undefined
  /** A link to the full list. */
  link?: ReactNode
  /** What to show without rows. By default, the panel is left out. */
  empty?: string
  /** Renders a `Row`. */
  children: (row: T) => ReactNode
}

/** A panel with a short list. */
export function ListPanel<T>({ title, query, rows, link, empty, children }: ListPanelProps<T>) {
  if (!rows && !query.isError) return null
  if (rows?.length === 0 && empty === undefined) return null
  return (
    <Panel title={title} link={link}>
      {!rows && <ErrorState error={query.error} retry={() => query.refetch()} />}
      {rows?.length === 0 && (
        <Text c="dimmed" size="sm">
          {empty}
        </Text>
      )}
      {rows && rows.length > 0 && <ul className={classes.rows}>{rows.map(children)}</ul>}
    </Panel>
  )
}

/** A row: what it is about on the left, and what matters about it on the right. */
export function Row({ children, meta }: { children: ReactNode; meta?: ReactNode }) {
  return (
    <li className={classes.row}>
      <span className={classes.main}>{children}</span>
      {meta && <span className={classes.meta}>{meta}</span>}
    </li>
  )
}
