import type {
  BadCells,
  ColumnFormat,
  Delimiter,
  HeldType,
  OnExisting,
  OnTrashed,
} from './components/report/report.ts'
import { type Decisions, sentDecisions, UNDECIDED } from './decisions.ts'
import { type Edits, NO_EDITS } from './edits.ts'
import { type Choice, columnsOf, newFieldOf } from './mapping.ts'

/** How the user says the file is to be read. Omitted settings are detected. */
export interface Reading {
  encoding?: string
  delimiter?: Delimiter
  /** 0: the file has no column names. */
  headerRow?: number
  sheet?: string
}

/** How the user says the values of a column are written. */
export interface FormatChoice {
  decimal?: NonNullable<ColumnFormat['decimal']>
  unit?: NonNullable<ColumnFormat['unit']>
  currency?: string
  /** How many euros one unit of each currency is worth. */
  rates?: Record<string, number>
  date_order?: NonNullable<ColumnFormat['date_order']>
}

/** Everything that the user has decided about an import. */
export interface ImportSettings {
  /** What the file holds. */
  holds: HeldType
  /** Whether companies that people, notes, and deals name are created. */
  createCompanies: boolean
  /** What happens to rows about people or deals that exist. */
  onExisting: OnExisting
  /** The stages of deals by what the file calls them. */
  stages: Readonly<Record<string, string>>
  reading: Reading
  choice: Choice
  /** By the name of the column. */
  formats: Readonly<Record<string, FormatChoice>>
  edits: Edits
  decisions: Decisions
  /**
   * The custom field that identifies companies, such as the id in another tool; null: names, websites, and locations
   * do.
   */
  identifyBy: string | null
  badCells: BadCells
  onTrashed: OnTrashed
}

export const INITIAL_SETTINGS: ImportSettings = {
  holds: 'company',
  createCompanies: true,
  onExisting: 'update',
  stages: {},
  reading: {},
  choice: { mapping: {}, assigned: {} },
  formats: {},
  edits: NO_EDITS,
  decisions: UNDECIDED,
  identifyBy: null,
  badCells: 'blank',
  onTrashed: 'skip',
}

/**
 * Reads the file in another way. Its columns and rows may change, so settings about them are dropped. Another encoding
 * keeps the rows, and the columns with ASCII names.
 */
export function withReading(settings: ImportSettings, reading: Reading): ImportSettings {
  const { badCells, onTrashed, holds, createCompanies, onExisting } = settings
  const isSameTable = Object.keys(reading).every((key) => key === 'encoding')
  return {
    ...(isSameTable ? withAsciiColumns(settings) : INITIAL_SETTINGS),
    ...{
      badCells,
      onTrashed,
      holds,
      createCompanies,
      onExisting,
      reading: { ...settings.reading, ...reading },
    },
  }
}

const isAscii = (text: string): boolean => /^\p{ASCII}*$/u.test(text)

const withAsciiColumns = (settings: ImportSettings): ImportSettings => ({
  ...settings,
  choice: {
    assigned: entriesWhere(settings.choice.assigned, (_field, columns) => columns.every(isAscii)),
    mapping: entriesWhere(settings.choice.mapping, (_field, mapped) => columnsOf(mapped).every(isAscii)),
  },
  identifyBy: null,
  formats: entriesWhere(settings.formats, isAscii),
  edits: { ...settings.edits, cells: settings.edits.cells.filter(({ column }) => isAscii(column)) },
})

const entriesWhere = <T>(
  record: Readonly<Record<string, T>>,
  isKept: (key: string, value: T) => boolean,
): Record<string, T> =>
  Object.fromEntries(Object.entries(record).filter(([key, value]) => isKept(key, value)))

/** Reads the file as one of other records, which have other fields. */
export const withHolds = (
  { reading, badCells, createCompanies }: ImportSettings,
  holds: HeldType,
): ImportSettings => ({
  ...INITIAL_SETTINGS,
  ...{ reading, badCells, createCompanies, holds },
})

/** Matches columns to fields. */
export const withChoice = (settings: ImportSettings, choice: Choice): ImportSettings => ({
  ...settings,
  choice,
  identifyBy:
    settings.identifyBy !== null && mayIdentify(choice, settings.identifyBy) ? settings.identifyBy : null,
})

/** Only texts identify companies. A field without a column identifies nothing. */
function mayIdentify({ mapping, assigned }: Choice, field: string): boolean {
  const type = newFieldOf(mapping, field)?.type ?? 'text'
  return assigned[field] !== undefined && type === 'text'
}

/** Changes the format of a column. */
export const withFormat = (
  settings: ImportSettings,
  column: string,
  choice: FormatChoice,
): ImportSettings => ({
  ...settings,
  formats: { ...settings.formats, [column]: { ...settings.formats[column], ...choice } },
})

/** The settings as the fields of a form, without the defaults of the service. */
export function formFields(settings: ImportSettings): Record<string, string> {
  const { reading, choice, formats, edits, decisions, identifyBy, badCells, onTrashed } = settings
  const { onConflict, conflicts } = sentDecisions(decisions)
  const { holds, createCompanies, onExisting, stages } = settings
  const fields: Record<string, string | undefined> = {
    encoding: reading.encoding,
    delimiter: reading.delimiter,
    header_row: reading.headerRow?.toString(),
    sheet: reading.sheet,
    on_trashed: onTrashed === 'skip' || holds === 'note' ? undefined : onTrashed,
    create_companies: holds !== 'company' && createCompanies ? 'true' : undefined,
    stages: holds === 'deal' ? jsonOf(stages) : undefined,
    on_existing: (holds === 'person' || holds === 'deal') && onExisting !== 'update' ? onExisting : undefined,
    on_conflict: onConflict === 'keep_apart' ? undefined : onConflict,
    identify_by: identifyBy ?? undefined,
    bad_cells: badCells === 'blank' ? undefined : badCells,
    mapping: jsonOf(choice.mapping),
    formats: jsonOf(formats),
    repairs: jsonOf({
      ...(edits.cells.length > 0 && {
        cells: edits.cells.map(({ row, column, edited }) => ({ row, column, value: edited })),
      }),
      ...(edits.excluded.length > 0 && { exclude: edits.excluded.map(({ row }) => row) }),
      ...(edits.included.length > 0 && { include: edits.included.map(({ row }) => row) }),
      ...(conflicts.length > 0 && { conflicts }),
    }),
  }
  const input = Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined)
  return Object.fromEntries(input)
}

const jsonOf = (value: object): string | undefined =>
  Object.keys(value).length > 0 ? JSON.stringify(value) : undefined
