import { plainText, writeCsv } from '#src/platform/csv/csv.ts'
import { InvalidInput, printable } from '#src/platform/errors.ts'
import { idPattern, idTime } from '#src/platform/ids.ts'

/** The column names that common tools use for each field, best source first. */
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

/** Only our own exports have all of these columns. */
const EXPORT_COLUMNS = ['id', 'thesis_code', 'llm_score_details', 'updated_at']

const COMPANY_ID = new RegExp(idPattern('cmp'))

export type ImportField = keyof typeof COLUMN_NAMES

/** Overrides for recognized columns: the column name for a field, or null to skip the field. */
export type ImportMapping = Record<string, string | null>

/** Normalizes a name: lower case, no accents, no punctuation. */
export const normalizedName = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** Maps the columns of a file to fields. */
export class ImportColumns {
  readonly header: string[]
  /** Whether the file is an export of this service, so that its ids and values can be used unchanged. */
  readonly isExport: boolean
  /** The column indexes of each recognized field, best first. */
  readonly #indexes = new Map<ImportField, number[]>()

  /** @throws InvalidInput if the mapping is invalid or no column has the company names */
  constructor(header: string[], mapping: ImportMapping) {
    this.header = header.map((name) => printable(name).trim())
    this.isExport = EXPORT_COLUMNS.every((name) => this.header.includes(name))
    this.#recognize()
    this.#apply(mapping)
    if (!this.#indexes.has('name'))
      throw new InvalidInput(
        `No column is recognized as the company's name. Columns: ${shownList(this.header)}. ` +
          'Specify the column with mapping={"name": "…"}.',
      )
  }

  #recognize(): void {
    const byName = new Map(this.header.map((name, index) => [normalizedName(name), index]))
    for (const [field, names] of Object.entries(COLUMN_NAMES)) {
      const indexes = names.map((name) => byName.get(name)).filter((index) => index !== undefined)
      if (indexes.length > 0) this.#indexes.set(field as ImportField, indexes)
    }
  }

  #apply(mapping: ImportMapping): void {
    for (const [field, column] of Object.entries(mapping)) {
      if (!Object.hasOwn(COLUMN_NAMES, field))
        throw new InvalidInput(
          `mapping.${field.slice(0, 60)} is not a known field. Known: ${Object.keys(COLUMN_NAMES).join(', ')}.`,
        )
      if (column === null) {
        this.#indexes.delete(field as ImportField)
        continue
      }
      const index = this.header.indexOf(column.trim())
      if (index < 0)
        throw new InvalidInput(
          `mapping.${field} must be a column of the file, not "${column.slice(0, 60)}". Columns: ${shownList(this.header)}.`,
        )
      this.#indexes.set(field as ImportField, [index])
    }
  }

  /** The company's id, if the file is an export of this service. */
  id(cells: string[]): string | undefined {
    const id = this.isExport ? cells[this.header.indexOf('id')] : undefined
    return id && COMPANY_ID.test(id) && idTime(id).getTime() <= Date.now() ? id : undefined
  }

  has(field: ImportField): boolean {
    return this.#indexes.has(field)
  }

  /** The column names of each recognized field. */
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

  /** The first non-blank cell of the field, and its column name. */
  cell(field: ImportField, cells: string[]): { text: string; column: string } | undefined {
    for (const index of this.#indexes.get(field) ?? []) {
      const text = plainText(cells[index] ?? '').trim()
      if (text) return { text, column: this.header[index] as string }
    }
    return undefined
  }

  /** The row as a CSV file with a header. */
  source(cells: string[]): string {
    return writeCsv([this.header, cells])
  }
}

const shownList = (names: string[]) => names.slice(0, 30).join(', ').slice(0, 500) || 'none'
