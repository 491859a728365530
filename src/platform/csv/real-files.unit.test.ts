import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { open } from './table.fixture.ts'

/** Files of others, which are not part of the project. */
const FOLDER = path.resolve(import.meta.dirname, '../../../../shared/data')

/** The rows of the table, and those that are no record. */
const FILES: Record<string, { rows: number; header: string; errors: number[]; delimiter?: string | null }> = {
  'acquired-companies.csv': { rows: 1610, header: 'Company', errors: [] },
  'brazil-branches-semicolon.csv': { rows: 43, header: 'CD_FILIAL', errors: [12], delimiter: ';' },
  'companies-house-bulk.csv': { rows: 11, header: 'CompanyName', errors: [] },
  'companies-real.csv': { rows: 2319, header: 'source_id', errors: [] },
  'india-funding.csv': { rows: 3044, header: 'Sr No', errors: [] },
  'irish-companies-eur.csv': { rows: 973, header: 'Company', errors: [] },
  'quantum.csv': { rows: 722, header: 'name', errors: [] },
  'unicorns-us.csv': { rows: 1037, header: 'Company', errors: [] },
  'ukrainian-startups-no-contacts.xlsx': {
    rows: 153,
    header: 'Название стартапа',
    errors: [],
    delimiter: null,
  },
}

for (const [name, { rows, header, errors, delimiter = ',' }] of Object.entries(FILES)) {
  const file = path.join(FOLDER, name)
  test(`no row of ${name} is lost`, { skip: !existsSync(file) }, async () => {
    const table = await open(readFileSync(file))
    assert.deepEqual([table.headerRow, table.header[0], table.delimiter], [1, header, delimiter])
    assert.equal(table.isEncodingCertain, true)
    let count = 0
    const odd: number[] = []
    for await (const records of table.read())
      for (const record of records) {
        if ('message' in record || 'leftOut' in record) odd.push(record.row)
        else {
          count += 1
          assert.equal(record.cells.length, table.header.length)
        }
      }
    await table.close()
    assert.deepEqual([count, odd], [rows, errors])
  })
}
