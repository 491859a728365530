import type { CSSProperties, ReactNode } from 'react'
import { emptyCell } from './cells.tsx'
import type { TableColumn } from './column.ts'
import classes from './table.module.css'

/** The position of a pinned cell, for the style sheet. */
export const pinnedAt = (start: number) => ({ '--start': `${start}px` }) as CSSProperties

/** The cells of a row after its first column. A function, because hundreds of components would be slow. */
export const rowCells = <Cell,>(
  columns: readonly TableColumn<Cell>[],
  render: (cell: Cell) => ReactNode,
): ReactNode[] =>
  columns
    .filter(({ isFirst }) => !isFirst)
    .map(({ field, isNumber, start, cell }) => (
      <td
        key={field}
        className={classes.cell}
        data-number={isNumber || undefined}
        {...(start !== undefined && { 'data-fixed': 'column', style: pinnedAt(start) })}
      >
        {render(cell) || emptyCell}
      </td>
    ))
