import { InvalidInput } from '#src/platform/errors.ts'
import { containerOf } from './container.ts'
import { detectDialect } from './dialect.ts'
import { countEscapedQuotes, surveyBytes } from './encoding/byte-survey.ts'
import { detectEncoding } from './encoding/detect-encoding.ts'
import { encodingNamed } from './encoding/encodings.ts'
import { decompress } from './gzip.ts'
import type { TableRecord } from './left-out.ts'
import type { ReplayableFile, TemporaryFiles } from './replayable-file.ts'
import type { Delimiter } from './split-record.ts'
import { TextSource } from './text-source.ts'
import { TextTable } from './text-table.ts'
import { textWarnings } from './text-warnings.ts'
import { type ConvertedSheet, convertWorkbook } from './workbook/workbook.ts'

export interface TableOptions {
  /** By default detected, as everything that a person can choose. */
  encoding?: string | undefined
  delimiter?: Delimiter | undefined
  /** As a spreadsheet counts; 0: no row has column names. */
  headerRow?: number | undefined
  /** The sheet of a workbook. */
  sheet?: string | undefined
  /** Whether the caller knows a column of this name. */
  isColumnName: (name: string) => boolean
  /** Whether cells of a table with these columns are read as they are, without repairing their encoding. */
  isVerbatim?: ((header: readonly string[]) => boolean) | undefined
  /** Where a file that is compressed, or a workbook, is unpacked. */
  temporary: TemporaryFiles
  /** Its reason ends the reading. */
  signal?: AbortSignal | undefined
}

/** A file read as a table. */
export interface Table {
  readonly kind: 'text' | 'workbook'
  /** null for a workbook. */
  readonly encoding: string | null
  readonly isEncodingCertain: boolean
  /** null for a workbook, and for a text of one column. */
  readonly delimiter: Delimiter | null
  readonly sheet: string | null
  readonly sheets: string[]
  /** The row with the column names, as a spreadsheet counts; 0: there is none. */
  readonly headerRow: number
  /** The column names as in the file; without a header `Column 1`, `Column 2`, … */
  readonly header: string[]
  /** The first rows as in the file, with long cells cut, from which a person can choose the header. */
  readonly firstRows: { row: number; cells: string[] }[]
  /** Whether numbers have a decimal point and nothing between thousands, as in a workbook. */
  readonly hasPlainNumbers: boolean
  /** What looks wrong with the file. The counts of repaired cells are known when it has been read to its end. */
  readonly warnings: string[]
  /** All rows but the header and blank ones, in batches; the same each time. */
  read(): AsyncGenerator<TableRecord[]>
  close(): Promise<void>
}

/**
 * Finds out how a file is written: what contains it, its encoding, its delimiter, and where its column names are.
 * @throws InvalidInput if it is no table, or an option does not fit it
 */
export async function openTable(file: ReplayableFile, options: TableOptions): Promise<Table> {
  const { temporary, signal } = options
  const opened: { close(): Promise<void> }[] = []
  const close = async () => {
    for (const temporaryFile of opened.splice(0)) await temporaryFile.close()
  }
  try {
    let content = file
    let container = containerOf(await startOf(content))
    if (container === 'gzip') {
      const decompressed = await decompress(file, temporary, signal)
      opened.push(decompressed)
      content = decompressed
      container = containerOf(await startOf(content))
    }
    if (container === 'gzip') throw new InvalidInput('The file is compressed twice. Decompress it first.')
    if (container === 'text') return await openText(content, options, close)
    const { sheet } = options
    const workbook = await convertWorkbook(content, { container, sheet, temporary, signal })
    opened.push(workbook.file)
    return await openSheet(workbook, options, close)
  } catch (error) {
    await close()
    throw error
  }
}

type Close = () => Promise<void>

/** What a table is besides its rows. */
type Description = Omit<Table, 'headerRow' | 'header' | 'firstRows' | 'warnings' | 'read' | 'close'>

const NO_SHEETS = { sheet: null, sheets: [], hasPlainNumbers: false }

async function openText(file: ReplayableFile, options: TableOptions, close: Close): Promise<Table> {
  const survey = await surveyBytes(file)
  const { encoding, isCertain } =
    options.encoding === undefined
      ? await detectEncoding(survey)
      : { encoding: encodingNamed(options.encoding), isCertain: true }
  const source = new TextSource(file, encoding, survey.isUtf8)
  const start = await source.start()
  const warnings = textWarnings(start.text, survey, { encoding, isCertain })
  const escapedQuotes = { ...survey.escapedQuotes }
  if (/^utf-(?:16|32)/.test(encoding.name)) countEscapedQuotes(Buffer.from(start.text), escapedQuotes)
  const detected = await detectDialect(start, { ...options, escapedQuotes })
  const text = new TextTable(source, detected, options.signal)
  await text.findLayout(start, options)
  const { delimiter } = detected
  const description = { encoding: encoding.name, isEncodingCertain: isCertain, delimiter, ...NO_SHEETS }
  return tableOf({ kind: 'text', ...description }, text, warnings, close)
}

/** As the thread that reads workbooks writes it. */
const SHEET_DIALECT = { delimiter: ',', quote: '"', hasBackslashes: false, newline: '\n' } as const

async function openSheet(
  { file, sheet, sheets, warnings }: ConvertedSheet,
  options: TableOptions,
  close: Close,
): Promise<Table> {
  const source = new TextSource(file, encodingNamed('utf-8'), true)
  const text = new TextTable(source, { dialect: SHEET_DIALECT, formatRows: 0 }, options.signal)
  await text.findLayout(await source.start(), options)
  const description = { encoding: null, isEncodingCertain: true, delimiter: null, sheet, sheets }
  return tableOf({ kind: 'workbook', ...description, hasPlainNumbers: true }, text, warnings, close)
}

const tableOf = (description: Description, text: TextTable, warnings: string[], close: Close): Table => ({
  ...description,
  ...text.layout,
  get warnings() {
    return [...warnings, ...text.warnings]
  },
  read: () => text.read(),
  close,
})

const START_BYTES = 4096

async function startOf(file: ReplayableFile): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of file.read()) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= START_BYTES) break
  }
  return Buffer.concat(chunks)
}
