import { printable } from '#src/platform/errors.ts'
import { truncate } from '#src/platform/truncate.ts'
import { isPlaceholder, type PlaceholderKind } from '../cells/placeholders.ts'
import { PLACEHOLDER, type Reading } from '../cells/reading.ts'
import type { ImportColumns } from '../columns/columns.ts'

/** A cell that cannot be read, or whose value was changed. */
export interface CellError {
  /** The name of the column. */
  column: string
  field: string
  /** The cell, shortened. */
  value: string
  /** A sentence without the value, equal for all cells of one kind. */
  message: string
}

/** What is wrong or noteworthy about the cells of a row. */
export interface CellMessages {
  errors: CellError[]
  notes: CellError[]
}

const MAX_SHOWN_LENGTH = 60

export const cellError = (column: string, field: string, text: string, message: string): CellError => ({
  column,
  field,
  value: printable(truncate(text, MAX_SHOWN_LENGTH)),
  message,
})

/** The columns of a field, and how their cells are read. */
export interface FieldCells {
  field: string
  indexes: readonly number[]
  isPlaceholder(text: string, index: number): boolean
  /** What a placeholder is read as, if not blank with the usual note. */
  blank?: Reading<never>
  read(text: string, index: number): Reading
}

/**
 * Tells whether a text stands for nothing in a field. Some files repeat the name of the column instead of values.
 * @param kind null: no text does
 */
export function placeholderTest(
  columns: ImportColumns<string>,
  kind: PlaceholderKind | null,
): FieldCells['isPlaceholder'] {
  if (kind === null) return () => false
  const names = columns.header.map((name) => name.toLowerCase())
  return (text, index) =>
    isPlaceholder(text, kind) ||
    (kind === 'word' && text.length === names[index]?.length && text.toLowerCase() === names[index])
}

/** Reads the cells of a row for one field. */
export class FieldReader {
  readonly #columns: ImportColumns<string>
  readonly #cells: FieldCells
  constructor(columns: ImportColumns<string>, cells: FieldCells) {
    this.#columns = columns
    this.#cells = cells
  }

  /**
   * The value of the first cell that has one; undefined if none has.
   * @param messages receives errors and notes
   */
  read(row: string[], messages?: CellMessages): unknown {
    const { field, indexes, isPlaceholder, blank = PLACEHOLDER } = this.#cells
    let used: { value: unknown; text: string } | undefined
    for (const index of indexes) {
      const text = this.#columns.text(index, row)
      if (text === '') continue
      if (used) {
        if (messages && text !== used.text && !isPlaceholder(text, index))
          messages.notes.push(cellError(this.#columns.name(index), field, text, unused(field)))
        continue
      }
      const { value, note, error } = isPlaceholder(text, index) ? blank : this.#cells.read(text, index)
      if (value !== undefined) used = { value, text }
      if (messages && error) messages.errors.push(cellError(this.#columns.name(index), field, text, error))
      else if (messages && note) messages.notes.push(cellError(this.#columns.name(index), field, text, note))
    }
    return used?.value
  }
}

const unused = (field: string): string =>
  `Another column has the value of ${field}, so this cell was not used.`
