import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { read, utils } from '@e965/xlsx'
import { parse } from 'csv-parse/sync'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { accountedRows, ImportsUnderTest } from './imports.fixture.ts'

const DATA = new URL('../../../../shared/data/', import.meta.url)

interface RealFile {
  /** The column with the names, and the one with the websites. */
  name: string
  website?: string
  delimiter?: string
  /** Rows with companies, and how many of them are not valid. */
  rows: number
  failed?: number
}

const FILES: Readonly<Record<string, RealFile>> = {
  'acquired-companies.csv': { name: 'Company', website: 'Homepage', rows: 1610 },
  'brazil-branches-semicolon.csv': { name: 'NOME', delimiter: ';', rows: 44, failed: 1 },
  'companies-house-bulk.csv': { name: 'CompanyName', rows: 11 },
  'companies-real.csv': { name: 'name', website: 'website', rows: 2319 },
  'india-funding.csv': { name: 'Startup Name', rows: 3044 },
  'irish-companies-eur.csv': { name: 'Company', website: 'Homepage', rows: 973 },
  'quantum.csv': { name: 'name', website: 'website', rows: 722 },
  'ukrainian-startups-no-contacts.xlsx': { name: 'Название стартапа', website: 'Сайт', rows: 153 },
  'unicorns-us.csv': { name: 'Company', rows: 1037 },
}

type Row = Record<string, string | undefined>

/** The rows of a file as another reader finds them. */
function rowsIn(bytes: Buffer, { delimiter = ',' }: RealFile, isWorkbook: boolean): Row[] {
  if (isWorkbook) {
    const { Sheets, SheetNames } = read(bytes)
    const rows = utils.sheet_to_json<Record<string, unknown>>(Sheets[SheetNames[0] as string] as object)
    return rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([key, value]) => [key, String(value)])),
    )
  }
  const relaxed = { relax_quotes: true, relax_column_count: true, trim: true }
  return parse(bytes, { columns: true, bom: true, delimiter, ...relaxed })
}

/** A name without case, punctuation, and the bytes that a scraper wrote as text. */
const fold = (name: string): string =>
  name
    .replace(/(?:\\+x[0-9a-f]{2})+/g, '')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}!+]/gu, '')

for (const [fileName, file] of Object.entries(FILES)) {
  const url = new URL(fileName, DATA)
  describe(fileName, { skip: !existsSync(url) }, () => {
    let api: TestApp
    let imports: ImportsUnderTest
    before(async () => {
      api = await testApp()
      imports = new ImportsUnderTest(api)
    })
    after(() => api.close())

    test('every name is a company with its own website, or its row failed', async () => {
      const bytes = readFileSync(url)
      const report = await imports.import(bytes)
      assert.deepEqual([accountedRows(report), report.failed], [file.rows, file.failed ?? 0])
      assert.equal(new Set(report.errors.map(({ row }) => row)).size, report.failed)
      const rows = rowsIn(bytes, file, fileName.endsWith('.xlsx')).filter((row) => row[file.name])
      const companies = Map.groupBy(await imports.latest(report.created), ({ name }) => fold(name))
      const names = new Set(rows.map((row) => row[file.name] as string))
      const missing = [...names].filter((name) => !companies.has(fold(name)))
      assert.ok(missing.length <= report.failed, missing.join('; '))
      const { website } = file
      if (website === undefined) return
      for (const [name, same] of Map.groupBy(rows, (row) => fold(row[file.name] as string))) {
        const stored = companies.get(name) ?? []
        if (same.length > 1 || stored.length !== 1) continue
        const host = stored[0]?.website && new URL(stored[0].website).hostname.replace(/^www\./, '')
        const input = same[0]?.[website]?.toLowerCase() ?? ''
        assert.ok(host === null || input.includes(host ?? ''), `${name}: ${host} instead of ${input}`)
        assert.ok(host !== null || !/^https?:\/\/\w+\.\w+/.test(input), `${name} lost ${input}`)
      }
    })
  })
}
