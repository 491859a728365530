import { Readable } from 'node:stream'
import { stringify } from 'csv-stringify/sync'
import { createClient } from '#src/client/client.ts'
import { companyOf } from './companies.ts'
import { memoryOf, type Running } from './processes.ts'

export interface ImportFigures {
  rows: number
  seconds: number
  /** Resident memory of the service in MB before the import, and its peak. */
  idle: number
  peak: number
}

const FIRST = 5_000_000
const COLUMNS = [
  'name',
  'website',
  'country',
  'city',
  'industry',
  'description',
  'employees',
  'founded',
  'revenue',
]

function* lines(rows: number): Generator<Buffer> {
  yield Buffer.from(stringify([COLUMNS]))
  for (let start = 0; start < rows; start += 500) {
    const batch = Array.from({ length: Math.min(500, rows - start) }, (_value, index) => {
      const c = companyOf(FIRST + start + index)
      return [
        c.name,
        c.website,
        c.country,
        c.hq_city,
        c.industry_category,
        c.activity_description,
        c.employee_count,
        c.founded_year,
        c.revenue_eur,
      ]
    })
    yield Buffer.from(stringify(batch))
  }
}

/** Imports a file of so many rows over HTTP, as it is made. */
export async function measureImport({ url, child }: Running, rows: number): Promise<ImportFigures> {
  const idle = await memoryOf(child)
  let peak = idle
  const timer = setInterval(async () => {
    peak = Math.max(peak, await memoryOf(child))
  }, 100)
  const began = performance.now()
  const { data } = await createClient({ baseUrl: url }).importCompanies({
    body: Readable.toWeb(Readable.from(lines(rows))) as ReadableStream<Uint8Array>,
  })
  clearInterval(timer)
  if (data.created !== rows)
    throw new Error(`The import created ${data.created} of ${rows}: ${JSON.stringify(data.errors[0])}`)
  return { rows, seconds: (performance.now() - began) / 1000, idle, peak }
}
