import { commonWidth, knownNames } from './dialect.ts'
import type { CsvRow } from './read.ts'
import { kindOf } from './value-kind.ts'

/** The header is looked for among as many rows that are not blank. */
export const HEADER_SEARCH_ROWS = 40

/**
 * The row with the column names: the one with the most names that the caller knows, or else the first row as wide as the
 * table, unless its cells are values like those below it.
 * @param rows the first rows that are not blank
 * @returns 0 if no row has column names
 */
export function findHeaderRow(rows: CsvRow[], isColumnName: (name: string) => boolean): number {
  const width = commonWidth(rows)
  const known = rows.map(({ cells }) => knownNames(cells, isColumnName))
  const most = Math.max(0, ...known)
  const index = known.findIndex((count, at) => count === most && fits(rows[at], width))
  if (most > 1 || (most === 1 && isBelowPreamble(rows, index))) return rows[index]?.row ?? 0
  // A list without a name that is known is a list of names.
  if (width === 1) return 0
  const first = rows.findIndex((row) => fits(row, width))
  return first < 0 || hasValues(rows, first) ? 0 : (rows[first]?.row ?? 0)
}

/** Where the last cell is that is not blank, counted from 1. */
const extent = (cells: string[]): number => cells.findLastIndex((cell) => cell.trim() !== '') + 1

const fits = (row: CsvRow | undefined, width: number): boolean =>
  row !== undefined && extent(row.cells) * 2 > width

/** A value may be a column name by chance. Rows above it that are just as full make that likely. */
const isBelowPreamble = (rows: CsvRow[], index: number): boolean =>
  index >= 0 &&
  rows.slice(0, index).every(({ cells }) => filled(cells) < Math.max(2, filled(rows[index]?.cells ?? []) / 2))

const filled = (cells: string[]): number => cells.filter((cell) => cell.trim() !== '').length

/** Whether cells of the row are values: web addresses, numbers, dates, or countries among others of their column. */
function hasValues(rows: CsvRow[], index: number): boolean {
  const cells = rows[index]?.cells ?? []
  const below = rows.slice(index + 1).filter((row) => row.cells.join('\0') !== cells.join('\0'))
  return cells.some((cell, column) => {
    const others = below.map(({ cells }) => cells[column]?.trim() ?? '').filter((other) => other !== '')
    const value = cell.trim()
    if (value === '') return false
    // Without others, names such as Address.City look like addresses.
    if (others.length === 0) return below.length === 0 && /^(?:https?:|www\.)|@/.test(value.slice(0, 200))
    if (others.includes(value)) return true
    const kind = kindOf(value)
    return kind !== 'text' && others.filter((other) => kindOf(other) === kind).length * 2 > others.length
  })
}
