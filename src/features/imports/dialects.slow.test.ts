import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { type Dialect, describeDialect, dialects, fileIn, linesAround } from './dialects.fixture.ts'
import { type GeneratedCompany, generatedCompanies } from './generated-companies.fixture.ts'
import { accountedRows, ImportsUnderTest, type StoredValues } from './imports.fixture.ts'
import type { ImportReport } from './schema.ts'

const SEED = 38
const DIALECTS = 40
const COMPANIES_EACH = 50

let api: TestApp
let imports: ImportsUnderTest
before(async () => {
  api = await testApp()
  imports = new ImportsUnderTest(api)
})
after(() => api.close())

/** What must be stored as it was generated. No value may be that of another company. */
const comparable = (company: GeneratedCompany | StoredValues): string => {
  const { name, website, country_code, hq_city, employee_count, revenue_eur } = company
  const description = company.activity_description
  return JSON.stringify({ name, website, country_code, hq_city, employee_count, revenue_eur, description })
}

async function assertNothingLost(
  companies: readonly GeneratedCompany[],
  report: ImportReport,
  left: number,
  stored: readonly StoredValues[],
): Promise<void> {
  const wanted = companies.map(comparable)
  const found = stored.map(comparable)
  const [missing, unexpected] = [wanted, found].map((some, index) => {
    const others = index === 0 ? found : wanted
    return some.filter((one) => !others.includes(one)).slice(0, 5)
  })
  const { failed, errors, warnings, left_out_rows } = report
  assert.deepEqual(
    { missing, unexpected },
    { missing: [], unexpected: [] },
    JSON.stringify({
      file: { ...report.file, columns: [], first_rows: [] },
      errors,
      warnings,
      left_out_rows,
    }),
  )
  assert.equal(stored.length, companies.length)
  assert.equal(failed, 0)
  assert.equal(report.left_out, left, JSON.stringify(left_out_rows))
  assert.equal(accountedRows(report), companies.length + left)
}

/** The names of all files are different. */
const used = new Set<string>()

const companiesFor = ({ vocabularies, encoding }: Dialect, seed: number, count: number) =>
  generatedCompanies(count, { seed, vocabularies, isUnicode: encoding.startsWith('utf'), used })

describe('2,000 random companies in 40 random dialects', () => {
  dialects(DIALECTS, SEED).forEach((dialect, index) => {
    test(`all names come back with their own values: ${describeDialect(dialect)}`, async () => {
      const companies = companiesFor(dialect, SEED + index, COMPANIES_EACH)
      const report = await imports.import(fileIn(dialect, companies))
      await assertNothingLost(companies, report, linesAround(dialect), await imports.latest(report.created))
    })
  })
})

test('2,000 random companies in one file come back with their own values', async () => {
  const [dialect] = dialects(1, SEED)
  assert.ok(dialect)
  const large = { ...dialect, vocabularies: 'any' as const }
  const companies = companiesFor(large, SEED - 1, DIALECTS * COMPANIES_EACH)
  const report = await imports.import(fileIn(large, companies))
  await assertNothingLost(companies, report, linesAround(large), await imports.latest(report.created))
})
