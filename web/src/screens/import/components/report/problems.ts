import type { Cell } from '../../edits.ts'
import type { ImportedFile, ImportReport } from './report.ts'

/** A problem with a cell, or with a whole row. */
export interface Problem extends Omit<Cell, 'column'> {
  /** The column of the file; null if it is about the whole row. */
  column: string | null
  message: string
}

/** Problems of one kind. */
export interface ProblemGroup {
  column: string | null
  message: string
  /** The number of problems, including those that are not listed. */
  count: number
  problems: readonly Problem[]
  /** Examples of cells that are not listed. */
  examples: readonly { row: number; value: string }[]
}

export const keyOfProblem = ({ row, column }: { row: number; column: string | null }): string =>
  `${row} ${column ?? ''}`

/**
 * Splits the warnings: those about cells that cannot be read, and notes about cells that were changed while they were read,
 * such as placeholders, which need no repair.
 */
export function splitWarnings({ warnings }: ImportReport): {
  unreadable: ImportReport['warnings']
  notes: ImportReport['warnings']
} {
  return {
    unreadable: warnings.filter(({ left_blank }) => left_blank),
    notes: warnings.filter(({ left_blank }) => !left_blank),
  }
}

/** The number of cells that are left blank because they cannot be read. */
export const countBadCells = ({ bad_cells, bad_cells_omitted }: ImportReport): number =>
  bad_cells.length + bad_cells_omitted

/** The rows that fail, with the cells to repair. Errors name columns, or fields that no column has. */
export const errorsOf = ({ errors, file }: ImportReport): Problem[] =>
  errors.map(({ row, column, value, name, message }) => ({
    ...{ row, name: name ?? '', value: value ?? null },
    message: withoutCell({ message, value: value ?? null }),
    column: column === null ? null : columnOf(file, column),
  }))

/** Reports of an earlier version do not have the columns of the file. */
const columnOf = (file: ImportedFile | undefined, named: string): string =>
  file?.columns.some(({ name }) => name === named)
    ? named
    : (file?.columns.find(({ field }) => field === named)?.name ?? named)

const kindOf = ({ column, message }: { column: string | null; message: string }): string =>
  JSON.stringify([column, message])

/**
 * A message without the value of the cell, which is shown beside it, so that problems of one kind have the same
 * message.
 */
const withoutCell = ({ message, value }: Pick<Problem, 'message' | 'value'>): string =>
  value === null ? message : message.replace(`; the cell has "${value}"`, '')

/** Groups problems by what is wrong, those with cells to repair first, then the columns with the most cells. */
export function groupProblems(
  problems: readonly Problem[],
  warnings: ImportReport['warnings'] = [],
): ProblemGroup[] {
  const listed = Map.groupBy(problems, kindOf)
  const warned = new Map(warnings.map((warning) => [kindOf(warning), warning]))
  const groups = [...new Set([...listed.keys(), ...warned.keys()])].map((kind): ProblemGroup => {
    const own = listed.get(kind) ?? []
    const warning = warned.get(kind)
    const { column, message } = own[0] ?? warning ?? { column: null, message: '' }
    return {
      column,
      message,
      count: Math.max(own.length, warning?.count ?? 0),
      problems: own,
      examples: own.length > 0 ? [] : (warning?.examples ?? []),
    }
  })
  const hasCells = ({ problems: { length } }: ProblemGroup) => Number(length > 0)
  const alike = (group: ProblemGroup) => JSON.stringify([hasCells(group), group.column])
  const largest = new Map(
    [...Map.groupBy(groups, alike)].map(([key, own]) => [key, Math.max(...own.map(({ count }) => count))]),
  )
  const sizeOf = (group: ProblemGroup) => largest.get(alike(group)) ?? 0
  return groups.sort(
    (one, other) =>
      hasCells(other) - hasCells(one) ||
      sizeOf(other) - sizeOf(one) ||
      (one.column ?? '').localeCompare(other.column ?? '') ||
      other.count - one.count,
  )
}
