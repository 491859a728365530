import type { FormatChoice } from '../../settings.ts'
import type { ColumnFormat } from '../report/report.ts'

type Decimal = NonNullable<ColumnFormat['decimal']>
type DateOrder = NonNullable<ColumnFormat['date_order']>

const MAX_LENGTH = 40

/** The number that a cell means with this decimal sign; null if there is none. */
export function readNumber(cell: string, decimal: Decimal): number | null {
  const [text] = cell.slice(0, MAX_LENGTH).match(/\d[\d.,' \u00a0\u2009\u202f’]*/) ?? []
  if (text === undefined) return null
  const other = decimal === '.' ? ',' : '.'
  const digits = text.replaceAll(other, '').replace(/[' \u00a0\u2009\u202f’]/g, '')
  const value = Number(digits.replace(decimal, '.').replace(/\.$/, ''))
  return Number.isFinite(value) ? value : null
}

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

/** One mark before three digits, which separates thousands or decimals. */
const ONE_GROUP = /^\D*[1-9]\d{0,2}[.,]\d{3}(?!\d|[.,]\d)/

/** The possible meanings of a cell, if there are several. */
export function readingsOf(question: ColumnFormat['question'], cell: string): CellReading[] {
  const readings: CellReading[] = []
  const add = (choice: FormatChoice, value: string | number | null) => {
    if (value !== null && readings.every((one) => one.value !== value)) readings.push({ choice, value })
  }
  if (question === 'decimal' && ONE_GROUP.test(cell.slice(0, MAX_LENGTH)))
    for (const decimal of [',', '.'] as const) add({ decimal }, readNumber(cell, decimal))
  if (question === 'date_order')
    for (const date_order of ['dmy', 'mdy', 'ymd'] as const) add({ date_order }, readDay(cell, date_order))
  return readings.length > 1 ? readings : []
}

/** The first of some cells that can be read in several ways; null if none can. */
export const openCell = (question: ColumnFormat['question'], cells: readonly string[]): string | null =>
  cells.find((cell) => readingsOf(question, cell).length > 0) ?? null
