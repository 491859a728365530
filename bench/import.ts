import { createReadStream } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { stringify } from 'csv-stringify/sync'
import { createClient } from '#src/client/client.ts'
import { companyOf } from './companies.ts'
import { memoryOf, type Running } from './processes.ts'

export interface ImportFigures {
  rows: number
  seconds: number
  /** The service's resident memory in MB before the import, and its peak. */
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

/** A file of invented companies. */
export function* lines(rows: number, first = FIRST): Generator<Buffer> {
  yield Buffer.from(stringify([COLUMNS]))
  for (let start = 0; start < rows; start += 500) {
    const batch = Array.from({ length: Math.min(500, rows - start) }, (_value, index) => {
      const c = companyOf(first + start + index)
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

/** Imports a file with this many rows over HTTP. */
export async function measureImport({ url, child }: Running, rows: number): Promise<ImportFigures> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-bench-'))
  const file = path.join(folder, 'companies.csv')
  await writeFile(file, lines(rows))
  const idle = await memoryOf(child)
  let peak = idle
  const timer = setInterval(async () => {
    peak = Math.max(peak, await memoryOf(child))
  }, 100)
  const start = performance.now()
  const { data } = await createClient({ baseUrl: url }).importCompanies({
    body: Readable.toWeb(createReadStream(file)) as ReadableStream<Uint8Array>,
  })
  const seconds = (performance.now() - start) / 1000
  clearInterval(timer)
  await rm(folder, { recursive: true })
  if (data.created !== rows)
    throw new Error(`The import created ${data.created} of ${rows}: ${JSON.stringify(data.errors[0])}`)
  return { rows, seconds, idle, peak }
}
