import { parentPort, workerData } from 'node:worker_threads'
import { type OpenedSheet, openSheet, type SheetError, sheetRows, UnreadableSheet } from './sheet.ts'

/** A workbook, and the sheet to read; by default the first one with rows. */
export interface WorkbookTask {
  bytes: Uint8Array
  sheet: string | undefined
}

/** The sheet that was opened, its rows as CSV, and the end; or why there are none. */
export type FromThread =
  | { kind: 'opened'; workbook: { sheet: string; sheets: string[] } }
  | { kind: 'rows'; csv: Uint8Array }
  | { kind: 'end'; warnings: string[] }
  | SheetError
  | { kind: 'unreadable'; reason: string }

const PART_LENGTH = 256 * 1024

async function* answers({ bytes, sheet }: WorkbookTask): AsyncGenerator<FromThread> {
  try {
    const workbook = await openSheet(bytes, sheet)
    yield { kind: 'opened', workbook: { sheet: workbook.sheet, sheets: workbook.sheets } }
    yield* rows(workbook)
    yield { kind: 'end', warnings: workbook.warnings }
  } catch (error) {
    yield error instanceof UnreadableSheet
      ? error.reason
      : { kind: 'unreadable', reason: (error as Error).message }
  }
}

function* rows(workbook: OpenedSheet): Generator<FromThread> {
  let lines: string[] = []
  let length = 0
  for (const cells of sheetRows(workbook)) {
    const line = cells.some((cell) => cell !== '') ? cells.map(quotedCell).join(',') : ''
    lines.push(line)
    length += line.length
    if (length < PART_LENGTH) continue
    yield csvOf(lines)
    lines = []
    length = 0
  }
  if (lines.length > 0) yield csvOf(lines)
}

const csvOf = (lines: string[]): FromThread => ({ kind: 'rows', csv: Buffer.from(`${lines.join('\n')}\n`) })

const quotedCell = (cell: string): string => `"${cell.replaceAll('"', '""')}"`

const pending = answers(workerData as WorkbookTask)
parentPort?.on('message', async () => {
  const { value } = await pending.next()
  if (value) parentPort?.postMessage(value)
})
