import { InvalidInput, printable } from '#src/platform/errors.ts'
import type { ImportColumns } from './columns/columns.ts'
import type { FileRows } from './file-rows.ts'
import type { FormatSurvey } from './formats/format-survey.ts'
import type { CompanyIdentity } from './matching/evidence.ts'
import { FileCompanies } from './matching/file-companies.ts'
import { MAX_PREVIEW_ROWS } from './schema.ts'

/** The types of new custom fields are guessed from this many rows, or characters if these are fewer. */
const SAMPLE_ROWS = 1000
const SAMPLE_LENGTH = 2_000_000
/** The companies of a file are kept in memory, about 400 bytes each. */
const MAX_ROWS = 1_000_000
const TOO_MANY_ROWS = `A file may have ${MAX_ROWS.toLocaleString('en')} rows. Split it, and import the parts.`
const MAX_SAMPLES = 3
const MAX_SAMPLE_LENGTH = 100

/** The results of the first reading of a file. */
export interface Survey {
  /** The number of all rows. */
  rows: number
  companies: FileCompanies
  /** The first rows. */
  sample: string[][]
  /** The first values of each column. */
  samples: string[][]
  previewRows: number[]
}

interface Readers {
  columns: ImportColumns
  formats: FormatSurvey
  /** Reads the identity of the company of a row. */
  identities: { read(cells: string[]): CompanyIdentity }
  /** Reads the value of the field that identifies companies; undefined: it is blank. */
  key(cells: string[]): string | undefined
}

/**
 * Reads all rows once to decide which rows are about the same company, and how the values of the columns are written.
 * @throws InvalidInput for a file with too many rows
 */
export async function surveyRows(
  rows: FileRows,
  { columns, formats, identities, key }: Readers,
): Promise<Survey> {
  const companies = new FileCompanies()
  const sample = new Sample(columns.header.length)
  const survey: Survey = {
    ...{ rows: 0, companies, sample: sample.rows, samples: sample.columns.found, previewRows: [] },
  }
  for await (const { cells, ...row } of allRows(rows, survey)) {
    formats.add(row.row, cells)
    const who = identities.read(cells)
    companies.add(row.row, who.name ? who : undefined, columns.id(cells), key(cells))
    if (survey.previewRows.length < MAX_PREVIEW_ROWS) survey.previewRows.push(row.row)
    sample.add(cells)
  }
  // Only after the last row is it clear whether NA is one country code among others.
  if (!columns.has('country_code') && !formats.hasCountryCodes) companies.forgetNamibia()
  companies.join()
  return survey
}

/** The rows that are records. Counts all. */
async function* allRows(rows: FileRows, survey: Survey) {
  for await (const row of rows.read()) {
    survey.rows += 1
    if (survey.rows > MAX_ROWS) throw new InvalidInput(TOO_MANY_ROWS)
    if (row.kind === 'record') yield row
  }
}

/** The first rows of a file, from which the types of new fields are guessed. */
export class Sample {
  readonly rows: string[][] = []
  readonly columns: ColumnSamples
  #length = 0

  constructor(width: number) {
    this.columns = new ColumnSamples(width)
  }

  add(cells: string[]): void {
    if (this.rows.length >= SAMPLE_ROWS || this.#length >= SAMPLE_LENGTH) return
    this.rows.push(cells)
    this.#length += lengthOf(cells)
    this.columns.add(cells)
  }
}

/** The first values of each column that are not blank. */
export class ColumnSamples {
  readonly found: string[][]

  constructor(width: number) {
    this.found = Array.from({ length: width }, () => [])
  }

  add(cells: readonly string[]): void {
    for (const [index, known] of this.found.entries()) {
      if (known.length >= MAX_SAMPLES) continue
      const text = cells[index]?.trim().slice(0, MAX_SAMPLE_LENGTH)
      if (text) known.push(printable(text))
    }
  }
}

export const lengthOf = (cells: readonly string[]): number =>
  cells.reduce((sum, cell) => sum + cell.length, 0)
