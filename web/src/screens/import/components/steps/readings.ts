import { NUMERALS, numeralValue, parseNumeral } from '#src/client/limits.ts'
import type { FormatChoice } from '../../settings.ts'
import type { ColumnFormat } from '../report/report.ts'

type DateOrder = NonNullable<ColumnFormat['date_order']>

const MAX_LENGTH = 40

/** The day that a cell means in this order, such as `2026-04-03`; null if there is none. */
export function readDay(cell: string, order: DateOrder): string | null {
  const [, first, second, third] =
    cell.slice(0, MAX_LENGTH).match(/^\s*(\d{1,4})[./ -](\d{1,2})[./ -](\d{1,4})(?!\d)/) ?? []
  if (first === undefined || second === undefined || third === undefined) return null
  if (order === 'ymd' && first.length < 4) return null
  const [year, month, day] =
    order === 'ymd'
      ? [first, second, third]
      : order === 'dmy'
        ? [third, second, first]
        : [third, first, second]
  const date = new Date(Date.UTC(fullYear(year), Number(month) - 1, Number(day)))
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day)
    ? date.toISOString().slice(0, 10)
    : null
}

const fullYear = (year: string): number =>
  year.length > 2 ? Number(year) : Number(year) + (Number(year) < 70 ? 2000 : 1900)

/** The ambiguity of a column's values, even after the user has resolved it. */
export interface RequestedFormat {
  question: ColumnFormat['question']
  /** A cell that can be read in several ways; null if it is not known. */
  cell: string | null
}

/** A choice, and the meaning that the cell has with it. */
export interface CellReading {
  choice: FormatChoice
  value: string | number
}

/** The possible meanings of a cell, if there are several. */
export function readingsOf(question: ColumnFormat['question'], cell: string): CellReading[] {
  const readings: CellReading[] = []
  const add = (choice: FormatChoice, value: string | number | null) => {
    if (value !== null && readings.every((one) => one.value !== value)) readings.push({ choice, value })
  }
  const [written = ''] = cell.slice(0, MAX_LENGTH).match(NUMERALS) ?? []
  const numeral = question === 'decimal' ? parseNumeral(written) : undefined
  if (numeral?.open)
    for (const decimal of [',', '.'] as const) add({ decimal }, numeralValue(numeral, decimal) ?? null)
  if (question === 'date_order')
    for (const date_order of ['dmy', 'mdy', 'ymd'] as const) add({ date_order }, readDay(cell, date_order))
  return readings.length > 1 ? readings : []
}

/** The first of some cells that can be read in several ways; null if none can. */
export const openCell = (question: ColumnFormat['question'], cells: readonly string[]): string | null =>
  cells.find((cell) => readingsOf(question, cell).length > 0) ?? null
