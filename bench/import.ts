import { createReadStream } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { stringify } from 'csv-stringify/sync'
import { createClient } from '#src/client/client.ts'
import { companyOf } from './companies.ts'
import { fieldTypes, WRITTEN_USERS, writtenValue } from './custom-fields.ts'
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

/** The mapping that creates the custom fields of `lines`. */
const customMapping = (fields: number) =>
  Object.fromEntries(
    fieldTypes(fields).map((type, index) => [`custom.bench_${index}`, { column: `Bench ${index}`, type }]),
  )

/** A file of invented companies, with this many custom fields. */
export function* lines(rows: number, first = FIRST, fields = 0): Generator<Buffer> {
  const types = fieldTypes(fields)
  yield Buffer.from(stringify([[...COLUMNS, ...types.map((_type, index) => `Bench ${index}`)]]))
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
        ...types.map((type, column) => writtenValue(type, first + start + index, column)),
      ]
    })
    yield Buffer.from(stringify(batch))
  }
}

/** Imports a file with this many rows and custom fields over HTTP. */
export async function measureImport(running: Running, rows: number, fields = 0): Promise<ImportFigures> {
  // Other companies than those of an import without custom fields.
  const file = lines(rows, fields > 0 ? 2 * FIRST : FIRST, fields)
  return measureFile(running, rows, file, async (client, body) => {
    if (fields > 0) for (const email of WRITTEN_USERS) await client.getUser({ params: { email } })
    const mapping = JSON.stringify(customMapping(fields))
    return (await client.importCompanies({ body, ...(fields > 0 && { querystring: { mapping } }) })).data
  })
}

/** A file of invented people, five in each of their companies. */
function* peopleLines(rows: number): Generator<Buffer> {
  yield Buffer.from(stringify([['Name', 'Email', 'Phone', 'Company', 'Title', 'LinkedIn']]))
  for (let row = 0; row < rows; row++) {
    const company = `Bench Company ${Math.floor(row / 5)}`
    const cells = [`Bench Person ${row}`, `person${row}@bench.example`, `+49 30 ${100_000 + row}`, company]
    yield Buffer.from(stringify([[...cells, 'Partner', `https://www.linkedin.com/in/bench-${row}`]]))
  }
}

/** Imports a file with this many people over HTTP, and creates their companies. */
export const measurePeopleImport = (running: Running, rows: number): Promise<ImportFigures> =>
  measureFile(
    running,
    rows,
    peopleLines(rows),
    async (client, body) =>
      (await client.importPeople({ body, querystring: { create_companies: true } })).data,
  )

async function measureFile(
  { url, child }: Running,
  rows: number,
  content: Iterable<Buffer>,
  send: (
    client: ReturnType<typeof createClient>,
    body: ReadableStream<Uint8Array>,
  ) => Promise<{ created: number; errors: unknown[] }>,
): Promise<ImportFigures> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-bench-'))
  const file = path.join(folder, 'file.csv')
  await writeFile(file, content)
  const idle = await memoryOf(child)
  const endPeak = watchPeak(child)
  const start = performance.now()
  const body = Readable.toWeb(createReadStream(file)) as ReadableStream<Uint8Array>
  const data = await send(createClient({ baseUrl: url }), body)
  const seconds = (performance.now() - start) / 1000
  const peak = Math.max(idle, endPeak())
  await rm(folder, { recursive: true })
  if (data.created !== rows)
    throw new Error(`The import created ${data.created} of ${rows}: ${JSON.stringify(data.errors[0])}`)
  return { rows, seconds, idle, peak }
}

/** Samples the memory of a process. The returned function stops sampling and returns the maximum. */
function watchPeak(child: Running['child']): () => number {
  let peak = 0
  const timer = setInterval(async () => {
    peak = Math.max(peak, await memoryOf(child))
  }, 100)
  return () => {
    clearInterval(timer)
    return peak
  }
}
