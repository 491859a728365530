import { UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowsSort, IconArrowUp, IconChevronDown } from '@tabler/icons-react'
import { type DragEvent, Fragment, type ReactNode, useState } from 'react'
import type { SortKey } from '#src/client/limits.ts'
import { strings } from '#strings/columns.ts'
import { overlayButton } from '#web/ui/anchored.tsx'
import type { TableColumn } from './column.ts'
import { ColumnMenu } from './column-menu.tsx'
import { pinnedAt } from './row-cells.tsx'
import classes from './table.module.css'
import type { ColumnActions } from './use-column-actions.ts'
import type { ColumnsTable, TableHeader } from './use-table.ts'

const ColumnMenuButton = overlayButton('menu', ColumnMenu)

interface TableHeadProps {
  table: ColumnsTable
  columns: readonly TableColumn[]
  actions: ColumnActions
  sort: string | undefined
  sortBy: (keys: SortKey[]) => void
  /** Heads the checkboxes. */
  select: ReactNode
  /** Heads a cell after the first column. */
  afterFirst: ReactNode
  /** Heads the last cell. */
  last: ReactNode
}

/** The column headers: click to sort, drag to move, drag the edge to resize. The menu does the same with keys. */
export function TableHead({ table, columns, actions, select, afterFirst, last, ...sorting }: TableHeadProps) {
  const [dragged, setDragged] = useState<string | null>(null)
  const [target, setTarget] = useState<{ field: string; side: 'before' | 'after' } | null>(null)
  const end = () => {
    setDragged(null)
    setTarget(null)
  }
  const headers = table.getHeaderGroups()[0]?.headers ?? []
  return (
    <thead className={classes.head}>
      <tr>
        {select && (
          <th scope="col" className={classes.heading} data-fixed="select">
            {select}
          </th>
        )}
        {columns.map((column) => {
          const header = headers.find(({ id }) => id === column.field)
          const isMovable = !column.isFirst
          const cell = header && (
            <HeaderCell
              key={column.field}
              column={column}
              header={header}
              isSortedAlone={table.state.sorting.length < 2}
              actions={actions}
              {...sorting}
              dropSide={target?.field === column.field ? target.side : undefined}
              drag={{
                draggable: isMovable,
                onDragStart: (event) => {
                  event.dataTransfer.effectAllowed = 'move'
                  event.dataTransfer.setData('text/plain', column.label)
                  setDragged(column.field)
                },
                onDragEnd: end,
                ...(dragged !== null &&
                  dragged !== column.field && {
                    onDragOver: (event) => {
                      event.preventDefault()
                      const side = isMovable ? sideOf(event) : 'after'
                      if (target?.field !== column.field || target.side !== side)
                        setTarget({ field: column.field, side })
                    },
                    onDrop: (event) => {
                      event.preventDefault()
                      if (target) actions.move(dragged, target.field, target.side)
                      end()
                    },
                  }),
              }}
            />
          )
          if (!column.isFirst) return cell
          return (
            <Fragment key={column.field}>
              {cell}
              {afterFirst}
            </Fragment>
          )
        })}
        {last}
      </tr>
    </thead>
  )
}

const sideOf = ({ currentTarget, clientX }: DragEvent<HTMLElement>): 'before' | 'after' => {
  const { left, width } = currentTarget.getBoundingClientRect()
  return clientX < left + width / 2 ? 'before' : 'after'
}

type DragHandlers = Pick<React.ComponentProps<'th'>, 'draggable'> &
  Partial<
    Record<'onDragStart' | 'onDragEnd' | 'onDragOver' | 'onDrop', (event: DragEvent<HTMLElement>) => void>
  >

interface HeaderCellProps extends Pick<TableHeadProps, 'actions' | 'sort' | 'sortBy'> {
  column: TableColumn
  header: TableHeader
  isSortedAlone: boolean
  dropSide: 'before' | 'after' | undefined
  drag: DragHandlers
}

const ARIA_SORT = { asc: 'ascending', desc: 'descending' } as const

function HeaderCell({
  column,
  header,
  isSortedAlone,
  actions,
  sort,
  sortBy,
  dropSide,
  drag,
}: HeaderCellProps) {
  const { field, label, isNumber, isFirst, start } = column
  const { column: state } = header
  const direction = state.getIsSorted()
  return (
    <th
      scope="col"
      abbr={label}
      className={classes.heading}
      data-field={field}
      data-fixed={isFirst ? 'first' : start === undefined ? undefined : 'column'}
      data-number={isNumber || undefined}
      data-drop={dropSide}
      {...(state.getCanSort() && { 'aria-sort': direction ? ARIA_SORT[direction] : 'none' })}
      style={start === undefined ? undefined : pinnedAt(start)}
      {...drag}
    >
      <span className={classes.headingContent}>
        {state.getCanSort() ? (
          <button
            type="button"
            className={classes.sort}
            data-printed
            title={strings.sortHelp}
            onClick={state.getToggleSortingHandler()}
          >
            <span className={classes.label}>{label}</span>
            <SortIcon direction={direction} />
            {direction && !isSortedAlone && (
              <span className={classes.sortIndex}>
                <span aria-hidden>{state.getSortIndex() + 1}</span>
              </span>
            )}
          </button>
        ) : (
          <span className={classes.label}>{label}</span>
        )}
        <ColumnMenuButton {...{ column, header, actions, sort, sortBy }}>
          <UnstyledButton className={classes.columnMenu} aria-label={strings.columnMenu(label)}>
            <IconChevronDown size={14} aria-hidden />
          </UnstyledButton>
        </ColumnMenuButton>
      </span>
      {/* Pointers only: the column menu does the same with keys. */}
      <span
        className={classes.resize}
        aria-hidden
        data-resizing={state.getIsResizing() || undefined}
        draggable
        onDragStart={(event) => {
          event.preventDefault()
          event.stopPropagation()
        }}
        onMouseDown={header.getResizeHandler()}
        onTouchStart={header.getResizeHandler()}
        onDoubleClick={() => actions.resize(field, undefined)}
      />
    </th>
  )
}

function SortIcon({ direction }: { direction: false | 'asc' | 'desc' }) {
  const Icon = direction === 'asc' ? IconArrowUp : direction === 'desc' ? IconArrowDown : IconArrowsSort
  return <Icon size={14} aria-hidden className={direction ? classes.sortIcon : classes.idleSort} />
}
