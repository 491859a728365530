import { Box, type BoxProps, VisuallyHidden } from '@mantine/core'
import { type ComponentProps, type CSSProperties, type ReactNode, type UIEvent, useRef } from 'react'
import type { SortKey } from '#src/client/limits.ts'
import type { TableColumn } from './column.ts'
import classes from './table.module.css'
import { TableHead } from './table-head.tsx'
import type { ColumnActions } from './use-column-actions.ts'
import { useFittedColumns } from './use-fitted-columns.ts'
import { liveWidth, useColumnsTable } from './use-table.ts'

/** The width of the checkbox column, in pixels. */
const SELECT_WIDTH = 36

/** A column that users can neither move nor hide. */
interface FixedColumn {
  /** In pixels. */
  width: number
  head: ReactNode
}

interface ColumnTableProps {
  label: string
  /** In the order in which they are shown, the first one first. */
  columns: readonly TableColumn[]
  actions: ColumnActions
  sort: string | undefined
  sortBy: (keys: SortKey[]) => void
  canSort?: boolean
  /** Heads the checkboxes, if there are any. */
  select?: ReactNode
  afterFirst?: FixedColumn | undefined
  last?: FixedColumn | undefined
  children: ReactNode
}

/** The table with its columns. Dragging an edge renders this, and no row. */
export function ColumnTable({
  label,
  actions,
  sort,
  sortBy,
  canSort = true,
  select,
  afterFirst,
  last,
  children,
  ...props
}: ColumnTableProps) {
  const { resize } = actions
  const element = useRef<HTMLTableElement>(null)
  const selectWidth = select ? SELECT_WIDTH : 0
  const others = selectWidth + (afterFirst?.width ?? 0) + (last?.width ?? 0)
  const columns = useFittedColumns(props.columns, others, element)
  const table = useColumnsTable({ columns, sort, sortBy, resize, canSort })
  const widths = (table.getHeaderGroups()[0]?.headers ?? []).map(
    (header) => [header.id, liveWidth(table, header)] as const,
  )
  const width = widths.reduce((sum, [, own]) => sum + own, others)
  return (
    <table
      ref={element}
      className={classes.table}
      style={{ '--table-width': `${width}px`, '--select-width': `${selectWidth}px` } as CSSProperties}
      aria-label={label}
    >
      <colgroup>
        {select && <col style={{ width: selectWidth }} />}
        {/* The first one takes what the others leave. */}
        <col />
        {afterFirst && <col style={{ width: afterFirst.width }} />}
        {widths
          .filter(([field]) => field !== columns[0]?.field)
          .map(([field, own]) => (
            <col key={field} style={{ width: own }} />
          ))}
        {last && <col style={{ width: last.width }} />}
      </colgroup>
      <TableHead
        {...{ table, columns, actions, sort, sortBy, select }}
        afterFirst={afterFirst?.head}
        last={last?.head}
      />
      {children}
    </table>
  )
}

interface TableRegionProps extends ComponentProps<'div'>, Pick<BoxProps, 'mod'> {
  actions: ColumnActions
}

/** The scroll area of a table, which also announces changes of its columns. */
export const TableRegion = ({ actions, className = '', children, ...region }: TableRegionProps) => (
  <Box {...region} className={`${classes.region} ${className}`} onScroll={markScrolled}>
    {children}
    <VisuallyHidden role="status">{actions.announcement}</VisuallyHidden>
  </Box>
)

/** Sets an attribute instead of React state, so that no row renders. */
const markScrolled = ({ currentTarget: list }: UIEvent<HTMLElement>): void => {
  list.toggleAttribute('data-scrolled', list.scrollLeft !== 0)
}
