import assert from 'node:assert/strict'
import type { Answer, TestApp } from '#src/testing/app.ts'
import type { FormatChoices, ImportQuery, ImportRepairs, ImportReport } from './schema.ts'

/** Settings of an import, with those that are JSON as objects. */
export interface ImportSettings extends Omit<ImportQuery, 'mapping' | 'formats' | 'repairs'> {
  mapping?: Record<string, unknown>
  formats?: FormatChoices
  repairs?: ImportRepairs
}

/** The parts of a stored company that tests compare. */
export interface StoredValues {
  id: string
  name: string
  website: string | null
  country: string | null
  country_code: string | null
  hq_city: string | null
  activity_description: string | null
  status: string
  employee_count: number | null
  founded_year: number | null
  revenue_eur: number | null
  owner_email: string | null
  tags: string[]
  executives: { name: string }[] | null
  custom: Record<string, unknown>
}

const OUTCOMES = ['created', 'updated', 'unchanged', 'trashed', 'failed', 'left_out'] as const

/** The number of rows that a report accounts for. */
export const accountedRows = (report: ImportReport): number =>
  OUTCOMES.reduce((sum, outcome) => sum + report[outcome], 0)

/** What must be equal in the reports of a dry run and of the import. */
const comparable = ({ action_id, dry_run, preview, new_fields, ...report }: ImportReport) => ({
  ...report,
  new_fields: new_fields.map(({ key, type, options }) => ({ key, type, options: options?.length })),
})

/** Imports files over HTTP. */
export class ImportsUnderTest {
  readonly #api: TestApp

  constructor(api: TestApp) {
    this.#api = api
  }

  /** Sends a file as it is. */
  send(
    file: string | Uint8Array,
    { mapping, formats, repairs, ...query }: ImportSettings = {},
  ): Promise<Answer> {
    const settings = Object.entries({ mapping, formats, repairs }).filter(([, value]) => value !== undefined)
    const input = Object.entries(query).map(([name, value]) => [name, String(value)])
    return this.#api.call('POST', '/api/companies/import', undefined, {
      payload: typeof file === 'string' ? file : Buffer.from(file),
      headers: { 'content-type': 'text/csv', 'x-user-email': 'ada@example.com' },
      query: Object.fromEntries([
        ...input,
        ...settings.map(([name, value]) => [name, JSON.stringify(value)]),
      ]),
    })
  }

  /** Imports a file, or makes a dry run. */
  async report(file: string | Uint8Array, settings: ImportSettings = {}): Promise<ImportReport> {
    const answer = await this.send(file, settings)
    assert.equal(answer.status, 200, JSON.stringify(answer.body).slice(0, 1000))
    return answer.body.data
  }

  /**
   * Makes a dry run, imports the file, and imports it again. Checks that the dry run says what happens, and that the second
   * import changes nothing.
   * @returns the report of the first import, and the preview of the dry run
   */
  async import(file: string | Uint8Array, settings: ImportSettings = {}): Promise<ImportReport> {
    const before = await this.total()
    const dry = await this.report(file, { ...settings, dry_run: true })
    assert.equal(await this.total(), before, 'a dry run writes nothing')
    const report = await this.report(file, settings)
    assert.deepEqual(comparable(dry), comparable(report), 'the dry run says what the import does')
    assert.equal(await this.total(), before + report.created + report.restored)
    const again = await this.report(file, settings)
    const { created, updated, action_id, changes, new_rows } = again
    assert.deepEqual(
      { created, updated, action_id, changes, new_rows },
      { created: 0, updated: 0, action_id: null, changes: [], new_rows: [] },
      'a second import changes nothing',
    )
    assert.equal(accountedRows(again), accountedRows(report), 'both account for the same rows')
    return { ...report, preview: dry.preview }
  }

  /** The number of companies. */
  async total(): Promise<number> {
    return (await this.#api.call('GET', '/api/companies?limit=0')).body.pagination.total
  }

  /** The companies that were created last, in the order in which they were created. */
  async latest(count: number): Promise<StoredValues[]> {
    const found: StoredValues[] = []
    while (found.length < count) {
      const limit = Math.min(1000, count - found.length)
      const { data } = (await this.#api.call('GET', `/api/companies?limit=${limit}&offset=${found.length}`))
        .body
      if (data.length === 0) break
      found.push(...data)
    }
    return found.reverse()
  }

  /** The companies with this name. */
  async named(name: string): Promise<StoredValues[]> {
    const filter = JSON.stringify({ field: 'name', op: 'eq', value: name })
    const { status, body } = await this.#api.call('GET', '/api/companies', undefined, {
      query: { filter, limit: '100', sort: 'created_at' },
      headers: { 'x-user-email': 'ada@example.com' },
    })
    assert.equal(status, 200, JSON.stringify(body))
    return body.data
  }

  /** The company with this name, of which there must be one. */
  async company(name: string): Promise<StoredValues> {
    const found = await this.named(name)
    assert.equal(found.length, 1, `${found.length} companies are called ${JSON.stringify(name)}`)
    return found[0] as StoredValues
  }

  /**
   * Imports rows, of which the first is the header, and returns a field of the company of each of the others by its name,
   * which is in the first column. Each row must create a company.
   */
  async fieldOf<Field extends keyof StoredValues>(
    field: Field,
    rows: readonly (readonly string[])[],
    settings: ImportSettings = {},
  ): Promise<{ report: ImportReport; values: Record<string, StoredValues[Field]> }> {
    const report = await this.import(csvOf(rows), settings)
    assert.equal(report.created, rows.length - 1, JSON.stringify([report.errors, report.left_out_rows]))
    const found = new Map((await this.latest(report.created)).map((company) => [company.name, company]))
    const values = rows.slice(1).map(([name = '']) => [name, found.get(name)?.[field]])
    return { report, values: Object.fromEntries(values) }
  }
}

const csvCell = (cell: string): string =>
  /["\r\n,]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell

/** Rows as CSV. */
export const csvOf = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map(csvCell).join(',')}\n`).join('')
