import {
  type CustomFieldMap,
  customName,
  DEFAULT_CURRENCY,
  isValidValue,
} from '#src/features/fields/index.ts'
import { InvalidInput } from '#src/platform/errors.ts'
import { truncate } from '#src/platform/truncate.ts'
import { type AmountFormat, readAmount } from '../cells/amounts.ts'
import { countryCode } from '../cells/country-codes.ts'
import { type CountFormat, readCount } from '../cells/counts.ts'
import { DateEvidence } from '../cells/date-evidence.ts'
import { type DateFormat, readDate } from '../cells/dates.ts'
import { NumberEvidence } from '../cells/number-evidence.ts'
import { isPlaceholder } from '../cells/placeholders.ts'
import type { Reading } from '../cells/reading.ts'
import { withCurrency } from '../cells/row-currency.ts'
import type { ImportColumns } from '../columns/columns.ts'
import type { CustomColumns } from '../columns/custom-columns.ts'
import { amountHints, headerHints } from '../columns/header-hints.ts'
import type { ColumnFormat, FormatChoices } from '../schema.ts'
import { type ColumnFormats, formatKey } from './column-formats.ts'
import {
  type ColumnContext,
  decideAmounts,
  decideCounts,
  decideDates,
  decideNumbers,
} from './decide-formats.ts'

const MAX_EXAMPLES = 3
const MAX_EXAMPLE_LENGTH = 60

/** A column of a field whose values have a format. */
interface SurveyedColumn extends ColumnContext {
  /** `custom.<key>` for a custom field. */
  field: string
  index: number
  numbers: NumberEvidence | undefined
  dates: DateEvidence | undefined
  examples: { row: number; text: string }[]
}

export interface SurveyOptions {
  /** By the name of a column. */
  choices: FormatChoices
  /** Whether numbers in JavaScript's format are exact, as those of a workbook are. */
  hasPlainNumbers: boolean
  /** The lines above the column names, such as "Figures in millions of EUR". */
  preamble: readonly string[]
}

/** Finds out from all rows of a file how the numbers, amounts, and dates of each column are written. */
export class FormatSurvey {
  readonly #columns: ImportColumns<string>
  readonly #surveyed: SurveyedColumn[] = []
  readonly #countries: CountryEvidence

  /** @throws InvalidInput for a choice that names no column */
  constructor(
    columns: ImportColumns<string>,
    custom: CustomColumns,
    { choices, hasPlainNumbers, preamble }: SurveyOptions,
  ) {
    this.#columns = columns
    const isPlain = hasPlainNumbers || columns.isExport
    this.#countries = new CountryEvidence(columns.indexes('country'))
    const byIndex = new Map(Object.entries(choices).map(([name, choice]) => [this.#chosen(name), choice]))
    const survey = (field: string, index: number, hasNumbers: boolean, hasDates: boolean) =>
      this.#surveyed.push({
        field,
        index,
        hints:
          columns.kind.formatted[field] === 'count'
            ? headerHints(columns.name(index))
            : amountHints(columns.name(index), preamble),
        choice: byIndex.get(index) ?? {},
        hasPlainNumbers: isPlain,
        mayLackUnit: field === 'revenue_eur' && !columns.isExport,
        numbers: hasNumbers ? new NumberEvidence(isPlain) : undefined,
        dates: hasDates ? new DateEvidence() : undefined,
        examples: [],
      })
    for (const [field, type] of Object.entries(columns.kind.formatted))
      for (const index of columns.indexes(field)) survey(field, index, type !== 'date', type === 'date')
    for (const { key, type, indexes } of custom.typed) {
      const isNumber = type === undefined || type === 'number' || type === 'money'
      const isDate = type === undefined || type === 'date'
      if (isNumber || isDate) for (const index of indexes) survey(customName(key), index, isNumber, isDate)
    }
  }

  #chosen(name: string): number {
    const index = this.#columns.find(name)
    if (index >= 0) return index
    throw new InvalidInput(
      `formats must be for columns of the file, not for "${truncate(name, 60)}". Columns: ${this.#columns.shown}.`,
    )
  }

  /** Takes a row into account. */
  add(row: number, cells: string[]): void {
    const { currency, formatted } = this.#columns.kind
    const ofRow = currency === undefined ? undefined : this.#columns.cell(currency, cells)?.text
    for (const { field, index, numbers, dates, examples } of this.#surveyed) {
      const text = this.#columns.text(index, cells)
      if (!text || isPlaceholder(text)) continue
      numbers?.add(ofRow && formatted[field] === 'money' ? withCurrency(text, ofRow) : text)
      dates?.add(text)
      if (examples.length < MAX_EXAMPLES) examples.push({ row, text })
    }
    this.#countries.add((index) => this.#columns.text(index, cells))
  }

  /** Whether a column of countries has codes, among which NA is Namibia. */
  get hasCountryCodes(): boolean {
    return this.#countries.codes.size > 0
  }

  /** The formats of the columns, as the rows so far show them. */
  decide(fields: CustomFieldMap): ColumnFormats {
    const formats: DecidedFormats = {
      report: [],
      amounts: new Map(),
      counts: new Map(),
      dates: new Map(),
      countryCodes: this.#countries.codes,
    }
    for (const column of this.#surveyed) this.#decide(column, fields, formats)
    return formats
  }

  #decide(column: SurveyedColumn, fields: CustomFieldMap, formats: DecidedFormats): void {
    const { field, index, numbers, dates } = column
    const custom = field.startsWith(CUSTOM) ? fields.get(field.slice(CUSTOM.length)) : undefined
    const key = formatKey(field, index)
    const { formatted, fieldError } = this.#columns.kind
    const type = custom?.type ?? formatted[field]
    const isStored = (value: unknown) =>
      value !== undefined && (custom ? isValidValue(custom, value) : fieldError(field, value) === undefined)
    const report = (shown: Shown, read: (text: string) => Reading) =>
      this.#report(column, formats, shown, (text) => {
        const { value } = read(text)
        return isStored(value) ? String(value) : ''
      })
    if (numbers && (type === 'money' || type === 'number')) {
      const { format, shown } =
        type === 'money'
          ? decideAmounts(column, numbers, custom?.currency ?? DEFAULT_CURRENCY)
          : decideNumbers(column, numbers)
      formats.amounts.set(key, format)
      report(shown, (text) => readAmount(text, format, field))
    } else if (numbers && type === 'count') {
      const { format, shown } = decideCounts(column, numbers)
      formats.counts.set(key, format)
      report(shown, (text) => readCount(text, format, field))
    } else if (dates && type === 'date') {
      const { format, shown } = decideDates(column, dates)
      formats.dates.set(key, format)
      report(shown, (text) => readDate(text, format, field))
    }
  }

  #report(
    { field, index, examples }: SurveyedColumn,
    { report }: DecidedFormats,
    shown: Shown,
    storedText: (text: string) => string,
  ): void {
    if (examples.length === 0) return
    report.push({
      ...NOTHING_DECIDED,
      ...shown,
      column: this.#columns.name(index),
      field,
      examples: examples.map(({ row, text }) => ({
        row,
        cell: truncate(text, MAX_EXAMPLE_LENGTH),
        value: storedText(text),
      })),
    })
  }
}

type Shown = Pick<ColumnFormat, 'kind'> & Partial<ColumnFormat>

interface DecidedFormats extends ColumnFormats {
  amounts: Map<string, AmountFormat>
  counts: Map<string, CountFormat>
  dates: Map<string, DateFormat>
}

const CUSTOM = 'custom.'

const NOTHING_DECIDED = {
  decimal: null,
  unit: null,
  currency: null,
  currencies: [] as string[],
  rates: {},
  date_order: null,
  question: null,
}

/** Finds out whether the countries of a file are codes, so that NA is Namibia rather than nothing. */
class CountryEvidence {
  readonly #indexes: readonly number[]
  readonly #counts: Map<number, { codes: number; names: number }>

  /** @param indexes of the columns of the country */
  constructor(indexes: readonly number[]) {
    this.#indexes = indexes
    this.#counts = new Map(indexes.map((index) => [index, { codes: 0, names: 0 }]))
  }

  add(textOf: (index: number) => string): void {
    for (const index of this.#indexes) {
      const text = textOf(index)
      const count = this.#counts.get(index)
      if (!count || !text) continue
      if (text.length > 3) count.names++
      else if (text.length === 2 && text !== 'NA' && countryCode(text)) count.codes++
    }
  }

  /** The indexes of the columns with codes. */
  get codes(): ReadonlySet<number> {
    const isCodes = ({ codes, names }: { codes: number; names: number }) => codes > names
    return new Set([...this.#counts].filter(([, count]) => isCodes(count)).map(([index]) => index))
  }
}
