import { readFile } from 'node:fs/promises'
import { type CellObject, read, set_cptable } from '@e965/xlsx'
import { cellText } from '#src/platform/csv/workbook/sheet-cell.ts'
import { DAMAGED, MAX_PAGE_CHARACTERS, NoText, PageTexts } from './limits.ts'
import type { Extraction } from './types.ts'
import { Archive } from './zip.ts'

const MAX_ROWS = 10_000
const OPTIONS = {
  type: 'buffer',
  dense: true,
  sheetRows: MAX_ROWS,
  cellNF: true,
  cellText: false,
  cellHTML: false,
  cellFormula: false,
  bookVBA: false,
} as const

/** Reads a workbook (XLSX, ODS): a page for each sheet, which begins with the name of the sheet. */
export async function readWorkbook(path: string): Promise<Extraction> {
  const archive = await Archive.open(path)
  await archive.checkAll()
  return readSheets(await readFile(path))
}

/** Reads the sheets of a workbook of any format. @throws NoText if it is none, or is encrypted */
export async function readSheets(bytes: Buffer): Promise<Extraction> {
  // For the file format of Excel 95 and before.
  set_cptable(await import('@e965/xlsx/dist/cpexcel.full.mjs'))
  const workbook = parse(bytes)
  const date1904 = workbook.Workbook?.WBProps?.date1904 === true
  const texts = new PageTexts()
  for (const name of workbook.SheetNames) {
    if (texts.isFull) break
    const rows = (workbook.Sheets[name]?.['!data'] ?? []) as CellObject[][]
    texts.add(`${name}\n${textOf(rows, date1904)}`)
  }
  return texts.extraction(workbook.SheetNames.length, 'sheet')
}

function parse(bytes: Buffer) {
  try {
    return read(bytes, OPTIONS)
  } catch (error) {
    if (/password|encrypt/i.test((error as Error).message))
      throw new NoText('encrypted', 'It is protected with a password.')
    throw new NoText('unreadable', DAMAGED)
  }
}

function textOf(rows: CellObject[][], date1904: boolean): string {
  const lines: string[] = []
  let length = 0
  for (const row of rows) {
    const line = (row ?? [])
      .map((cell) => cellText(cell, date1904))
      .filter(Boolean)
      .join(' ')
    if (line === '') continue
    lines.push(line)
    length += line.length
    if (length > MAX_PAGE_CHARACTERS) break
  }
  return lines.join('\n')
}
