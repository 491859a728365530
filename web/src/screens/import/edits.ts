/** A cell that cannot be read, or that was edited here. */
export interface Cell {
  row: number
  column: string
  /** The company of the row; '' if it is not known. */
  name: string
  /** As it is in the file; null if it is not known. */
  value: string | null
}

/** A cell to read as if the file had another value. */
export interface EditedCell extends Cell {
  edited: string
}

/** A row that the user leaves out, or includes although it does not look like a company. */
export interface EditedRow {
  row: number
  name: string
}

/** The user's changes to the rows of the file, in the order in which they were made. */
export interface Edits {
  cells: readonly EditedCell[]
  excluded: readonly EditedRow[]
  included: readonly EditedRow[]
}

export const NO_EDITS: Edits = { cells: [], excluded: [], included: [] }

const isSame = (one: { row: number; column: string }, other: { row: number; column: string }): boolean =>
  one.row === other.row && one.column === other.column

export const editOf = ({ cells }: Edits, cell: Cell): EditedCell | undefined =>
  cells.find((one) => isSame(one, cell))

export const isExcluded = ({ excluded }: Edits, row: number): boolean =>
  excluded.some((one) => one.row === row)

/** Gives a cell another value. The value of the file ends the edit. */
export function editCell(edits: Edits, cell: Cell, edited: string): Edits {
  const before = editOf(edits, cell)
  const original = before ?? cell
  if (edited === original.value) return undoCell(edits, cell)
  const { row, column, name, value } = original
  const changed = { row, column, name, value, edited }
  return {
    ...edits,
    cells: before ? edits.cells.map((one) => (one === before ? changed : one)) : [...edits.cells, changed],
  }
}

export const undoCell = (edits: Edits, cell: Cell): Edits => ({
  ...edits,
  cells: edits.cells.filter((one) => !isSame(one, cell)),
})

export const isIncluded = ({ included }: Edits, row: number): boolean =>
  included.some((one) => one.row === row)

/** Leaves a row out. A row that was included returns to its state in the file. */
export const excludeRow = (edits: Edits, { row, name }: EditedRow): Edits =>
  isIncluded(edits, row)
    ? { ...edits, included: without(edits.included, row) }
    : { ...edits, excluded: [...without(edits.excluded, row), { row, name }] }

/** Includes a row that was left out by the user, or because it does not look like a company. */
export const includeRow = (edits: Edits, { row, name }: EditedRow): Edits =>
  isExcluded(edits, row)
    ? { ...edits, excluded: without(edits.excluded, row) }
    : { ...edits, included: [...without(edits.included, row), { row, name }] }

const without = (rows: readonly EditedRow[], row: number): EditedRow[] =>
  rows.filter((one) => one.row !== row)
