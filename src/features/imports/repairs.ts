import { InvalidInput } from '#src/platform/errors.ts'
import { truncate } from '#src/platform/truncate.ts'
import type { ImportRepairs, OnConflict } from './schema.ts'

/** A row as a file has it. */
interface FileRow {
  row: number
  cells: string[]
}

/** Applies what a person has changed in a file. */
export class Repairs {
  /** The values of cells by column, by row. */
  readonly #cells = new Map<number, { index: number; value: string }[]>()
  readonly #excluded: ReadonlySet<number>
  readonly #included: ReadonlySet<number>
  readonly decisions: ReadonlyMap<number, OnConflict>
  /** The rows that have not been read yet. */
  readonly #missing: Set<number>

  /**
   * @param indexOf the index of a column by its name; -1 if there is none
   * @throws InvalidInput for a column that the file does not have
   */
  constructor(
    { cells = [], exclude = [], include = [], conflicts = [] }: ImportRepairs,
    indexOf: (column: string) => number,
  ) {
    for (const { row, column, value } of cells) {
      const index = indexOf(column)
      if (index < 0)
        throw new InvalidInput(
          `repairs.cells has the column "${truncate(column, 60)}", which the file does not have.`,
        )
      this.#cells.set(row, [...(this.#cells.get(row) ?? []), { index, value }])
    }
    this.#excluded = new Set(exclude)
    this.#included = new Set(include)
    this.decisions = new Map(conflicts.map(({ row, decision }) => [row, decision]))
    const rows = [...this.#cells.keys(), ...exclude, ...include, ...this.decisions.keys()]
    this.#missing = new Set(rows)
  }

  /** Call this for each row of the file. */
  pass(row: number): void {
    this.#missing.delete(row)
  }

  /**
   * Call this after the last row.
   * @throws InvalidInput if a row is named that the file does not have
   */
  requireAll(): void {
    const [first] = this.#missing
    if (first === undefined) return
    throw new InvalidInput(
      `repairs has row ${first}, which the file does not have, or which is blank or the column names. Rows count as in a spreadsheet.`,
    )
  }

  isExcluded(row: number): boolean {
    return this.#excluded.has(row)
  }

  /** Whether a row is imported that would be left out. */
  isIncluded(row: number): boolean {
    return this.#included.has(row)
  }

  /** The cells of a row with the values that replace those of the file. */
  cellsOf({ row, cells }: FileRow): string[] {
    const changes = this.#cells.get(row)
    if (!changes) return cells
    const changed = [...cells]
    for (const { index, value } of changes) changed[index] = value
    return changed
  }
}
