import { countryCodeOf, countryName } from '#src/platform/countries.ts'
import { plainText, writeCsv } from '#src/platform/csv.ts'
import { badRequest, printable } from '#src/platform/errors.ts'
import { isWebAddress } from '#src/platform/formats.ts'
import { parseAmount, parseCount, parseYear } from './import-numbers.ts'

/** The names under which exports of the usual tools carry each field, the best source first. */
const COLUMN_NAMES = {
  name: [
    'name',
    'company name',
    'company',
    'organization name',
    'organisation name',
    'organization',
    'organisation',
    'account name',
    'startup',
    'startup name',
    'firm',
    'legal name',
  ],
  website: [
    'website',
    'company website',
    'website url',
    'company url',
    'homepage',
    'homepage url',
    'url',
    'web',
    'web site',
    'domain',
    'company domain',
    'company domain name',
  ],
  country_code: [
    'country code',
    'country iso',
    'iso code',
    'iso country code',
    'iso',
    'iso2',
    'country iso2',
  ],
  country: ['country', 'country name', 'hq country', 'headquarters country', 'country region', 'nation'],
  hq_city: [
    'hq city',
    'city',
    'headquarters city',
    'company city',
    'town',
    'hq',
    'headquarters',
    'hq location',
    'headquarters location',
    'location',
  ],
  industry_category: [
    'industry category',
    'industry',
    'primary industry',
    'category',
    'sector',
    'vertical',
    'industries',
    'categories',
  ],
  activity_description: [
    'activity description',
    'description',
    'long description',
    'full description',
    'company description',
    'about',
    'short description',
    'one liner',
    'oneliner',
    'pitch',
    'tagline',
    'summary',
  ],
  status: ['status', 'company status', 'operating status'],
  thesis_code: ['thesis code', 'thesis'],
  employee_count: [
    'employee count',
    'employees',
    'number of employees',
    'no of employees',
    'num employees',
    'team size',
    'headcount',
    'company size',
    'fte',
    'ftes',
    'staff',
  ],
  founded_year: [
    'founded year',
    'founded',
    'year founded',
    'founding year',
    'founded date',
    'date founded',
    'founded on',
    'foundation year',
    'established',
    'incorporated',
    'incorporation date',
  ],
  revenue_eur: [
    'revenue eur',
    'revenue',
    'annual revenue',
    'annual revenue eur',
    'turnover',
    'turnover eur',
    'sales',
    'sales eur',
  ],
  llm_score_overall: ['llm score overall', 'llm score', 'score'],
  llm_score_details: ['llm score details'],
  executives: ['executives', 'management', 'founders'],
  financials: ['financials'],
} as const

export type ImportField = keyof typeof COLUMN_NAMES

/** Words that other tools use for the known statuses. */
const STATUSES: Record<string, string> = {
  operating: 'active',
  operational: 'active',
  open: 'active',
  live: 'active',
  alive: 'active',
  closed: 'inactive',
  dead: 'inactive',
  defunct: 'inactive',
  out_of_business: 'inactive',
  shut_down: 'inactive',
  was_acquired: 'acquired',
  m_a: 'acquired',
  merged: 'acquired',
  ipo: 'public',
  listed: 'public',
}

const normalizedName = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** Which columns hold which field. */
export class ImportColumns {
  readonly header: string[]
  /** For each recognised field, the indexes of its columns, the best first. */
  readonly #indexes = new Map<ImportField, number[]>()

  /** @throws HttpError 400 when the mapping is wrong or no column holds the names */
  constructor(header: string[], mapping: Record<string, string>) {
    this.header = header.map((name) => printable(name).trim())
    this.#recognize()
    this.#apply(mapping)
    if (!this.#indexes.has('name'))
      throw badRequest(
        `No column of the file is recognised as the company's name. Its columns: ${shownList(this.header)}. ` +
          'Say which one it is with mapping={"name": "…"}.',
      )
  }

  #recognize(): void {
    const byName = new Map(this.header.map((name, index) => [normalizedName(name), index]))
    for (const [field, names] of Object.entries(COLUMN_NAMES)) {
      const indexes = names.map((name) => byName.get(name)).filter((index) => index !== undefined)
      if (indexes.length > 0) this.#indexes.set(field as ImportField, indexes)
    }
  }

  #apply(mapping: Record<string, string>): void {
    for (const [field, column] of Object.entries(mapping)) {
      if (!Object.hasOwn(COLUMN_NAMES, field))
        throw badRequest(
          `mapping.${field.slice(0, 60)} is not a field. Known: ${Object.keys(COLUMN_NAMES).join(', ')}.`,
        )
      const index = this.header.indexOf(column.trim())
      if (index < 0)
        throw badRequest(
          `mapping.${field} must be a column of the file, not "${column.slice(0, 60)}". Its columns: ${shownList(this.header)}.`,
        )
      this.#indexes.set(field as ImportField, [index])
    }
  }

  /** The columns of each field, for the report. */
  get recognized(): Record<string, string[]> {
    return Object.fromEntries(
      [...this.#indexes].map(([field, indexes]) => [
        field,
        indexes.map((index) => this.header[index] as string),
      ]),
    )
  }

  get ignored(): string[] {
    const used = new Set([...this.#indexes.values()].flat())
    return this.header.filter((_name, index) => !used.has(index))
  }

  /** The first cell of the field that is not blank, with the name of its column. */
  cell(field: ImportField, cells: string[]): { text: string; column: string } | undefined {
    for (const index of this.#indexes.get(field) ?? []) {
      const text = plainText(cells[index] ?? '').trim()
      if (text) return { text, column: this.header[index] as string }
    }
    return undefined
  }

  /** The row as a CSV file of its own. */
  source(cells: string[]): string {
    return writeCsv([this.header, cells])
  }
}

const shownList = (names: string[]) => names.slice(0, 30).join(', ').slice(0, 500) || 'none'

/** A cell that cannot be read as its field. */
export class CellError extends Error {
  readonly column: string

  constructor(column: string, message: string) {
    super(message)
    this.column = column
  }
}

export type ImportedFields = { name: string } & Record<string, unknown>

/**
 * The fields of a row's cells; blank cells are left out. What a field allows is checked later, by the API's schema.
 * @throws CellError when a cell cannot be read as its field
 */
export function fieldsOf(
  columns: ImportColumns,
  cells: string[],
  theses: Map<string, string>,
): ImportedFields {
  const fields: Record<string, unknown> = {}
  const read = (
    field: ImportField,
    convert: (text: string) => unknown,
    allowed: string,
    as: string = field,
  ) => {
    const cell = columns.cell(field, cells)
    if (!cell) return
    const value = convert(cell.text)
    if (value === undefined)
      throw new CellError(cell.column, `${as} must be ${allowed}, not "${cell.text.slice(0, 60)}".`)
    if (value !== null) fields[as] = value
  }
  const text = (value: string) => value

  read('name', text, 'text')
  read('website', webAddress, 'a web address')
  read('country', text, 'text')
  read('country_code', countryCodeOf, 'a country code or name')
  read('hq_city', text, 'text')
  read('industry_category', text, 'text')
  read('activity_description', text, 'text')
  read('status', statusWord, 'a word')
  read('thesis_code', (code) => theses.get(code), 'the code of a thesis', 'thesis_id')
  read('employee_count', parseCount, 'a whole number')
  read('founded_year', parseYear, 'a year')
  read('revenue_eur', parseAmount, 'an amount in euros')
  read('llm_score_overall', parseCount, 'a whole number from 0 to 100')
  read('llm_score_details', json, 'JSON')
  read('executives', people, 'JSON or names')
  read('financials', json, 'JSON')

  if (typeof fields.country === 'string' && !fields.country_code) {
    const code = countryCodeOf(fields.country)
    if (code) fields.country_code = code
    if (code && fields.country.length <= 3) fields.country = countryName(code) ?? fields.country
  }
  if (!fields.name) throw new CellError(columns.recognized.name?.[0] ?? 'name', 'name is required.')
  return fields as ImportedFields
}

/** The address with a scheme; null for a scheme without an address, which exports leave in blank fields. */
function webAddress(text: string): string | null | undefined {
  if (/^https?:\/*$/i.test(text)) return null
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`
  return isWebAddress(address) && new URL(address).hostname.includes('.') ? address : undefined
}

function statusWord(text: string): string | undefined {
  const word = normalizedName(text).replaceAll(' ', '_')
  return STATUSES[word] ?? (/^[a-z][a-z0-9_]*$/.test(word) ? word : undefined)
}

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The executives as JSON, or as names with commas or semicolons between them. */
function people(text: string): unknown {
  if (text.startsWith('[')) return json(text)
  const names = text.split(/[,;|\n]/).map((name) => name.trim())
  return names.filter(Boolean).map((name) => ({ name }))
}
