import { type CellObject, read, set_cptable, type WorkBook, type WorkSheet } from '@e965/xlsx'
import { cellText } from './sheet-cell.ts'

/** Why a workbook has no rows to read. */
export type SheetError =
  | { kind: 'encrypted' }
  | { kind: 'empty' }
  | { kind: 'unknown-sheet'; sheets: string[] }

export class UnreadableSheet extends Error {
  readonly reason: SheetError

  constructor(reason: SheetError) {
    super(reason.kind)
    this.reason = reason
  }
}

export interface OpenedSheet {
  sheet: string
  /** All that are not hidden, and the chosen one. */
  sheets: string[]
  warnings: string[]
  rows: CellObject[][]
  /** Where the cells that are not blank begin and end: rows count from the first, columns from the first that is used. */
  range: { rows: number; first: number; last: number }
  date1904: boolean
}

const OPTIONS = { type: 'buffer', dense: true, cellNF: true, cellText: false, cellHTML: false } as const

/**
 * Opens the sheet of this name, or the first one with cells that is not hidden.
 * @throws UnreadableSheet if the workbook is encrypted, or has no such sheet
 */
export async function openSheet(bytes: Uint8Array, name: string | undefined): Promise<OpenedSheet> {
  // For the file format of Excel 95 and before.
  set_cptable(await import('@e965/xlsx/dist/cpexcel.full.mjs'))
  // Of most formats, that reads no sheet, and of others all.
  const workbook = parse(bytes, { sheets: [-1] })
  const names = sheetNames(workbook)
  const visible = names.filter(({ isHidden }) => !isHidden).map((sheet) => sheet.name)
  const chosen =
    name === undefined
      ? undefined
      : chosenName(
          name,
          names.map((sheet) => sheet.name),
        )
  if (name !== undefined && chosen === undefined)
    throw new UnreadableSheet({ kind: 'unknown-sheet', sheets: visible })
  const sheets = chosen === undefined || visible.includes(chosen) ? visible : [...visible, chosen]
  for (const sheet of chosen === undefined ? visible : [chosen]) {
    const rows = rowsOf(workbook.Sheets[sheet] ?? parse(bytes, { sheets: sheet }).Sheets[sheet])
    const range = usedRange(rows)
    if (range || chosen !== undefined)
      return {
        sheet,
        sheets,
        rows,
        range: range ?? { rows: 0, first: 0, last: -1 },
        date1904: workbook.Workbook?.WBProps?.date1904 === true,
        warnings: warningsOf(rows),
      }
  }
  throw new UnreadableSheet({ kind: 'empty' })
}

function parse(bytes: Uint8Array, options: { sheets?: string | number[] }): WorkBook {
  try {
    return read(bytes, { ...OPTIONS, ...options })
  } catch (error) {
    if (/password|encrypt/i.test((error as Error).message)) throw new UnreadableSheet({ kind: 'encrypted' })
    throw error
  }
}

const sheetNames = ({ SheetNames, Workbook }: WorkBook): { name: string; isHidden: boolean }[] =>
  SheetNames.map((name, index) => ({ name, isHidden: (Workbook?.Sheets?.[index]?.Hidden ?? 0) > 0 }))

function chosenName(name: string, names: string[]): string | undefined {
  const folded = (text: string) => text.trim().toLowerCase()
  return names.find((known) => known === name) ?? names.find((known) => folded(known) === folded(name))
}

const rowsOf = (sheet: WorkSheet | undefined): CellObject[][] => (sheet?.['!data'] ?? []) as CellObject[][]

function usedRange(rows: CellObject[][]): OpenedSheet['range'] | undefined {
  let count = 0
  let first = Number.POSITIVE_INFINITY
  let last = -1
  rows.forEach((row, index) => {
    row?.forEach((cell, column) => {
      if (!isUsed(cell)) return
      count = index + 1
      first = Math.min(first, column)
      last = Math.max(last, column)
    })
  })
  return last < 0 ? undefined : { rows: count, first, last }
}

const isUsed = (cell: CellObject | undefined): boolean =>
  cell?.v !== undefined && cell.v !== null && cell.v !== ''

/** Some programs write formulas without computing them. A formula may also have no text as its value. */
function warningsOf(rows: CellObject[][]): string[] {
  const formulas = rows.flatMap((row) => row?.filter((cell) => cell?.f !== undefined) ?? [])
  if (formulas.length === 0 || formulas.some(isUsed)) return []
  const count = formulas.length
  const cells = count === 1 ? '1 cell has a formula' : `${count.toLocaleString('en')} cells have formulas`
  return [`${cells} without a value. Open the workbook in a spreadsheet, save it, and upload it again.`]
}

/** The cells of each row from the first, as text. */
export function* sheetRows({ rows, range, date1904 }: OpenedSheet): Generator<string[]> {
  for (let index = 0; index < range.rows; index++) {
    const cells: string[] = []
    for (let column = range.first; column <= range.last; column++)
      cells.push(cellText(rows[index]?.[column], date1904))
    yield cells
  }
}
