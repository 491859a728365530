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

export interface ExcludedRow {
  row: number
  name: string
}

/** What a person has changed about the rows of the file, in the order in which it was done. */
export interface Edits {
  cells: readonly EditedCell[]
  excluded: readonly ExcludedRow[]
}

export const NO_EDITS: Edits = { cells: [], excluded: [] }

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

export const excludeRow = (edits: Edits, { row, name }: ExcludedRow): Edits =>
  isExcluded(edits, row) ? edits : { ...edits, excluded: [...edits.excluded, { row, name }] }

export const includeRow = (edits: Edits, row: number): Edits => ({
  ...edits,
  excluded: edits.excluded.filter((one) => one.row !== row),
})
