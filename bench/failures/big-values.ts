import { Readable } from 'node:stream'
import pg from 'pg'
import { request } from 'undici'
import { type Attack, headersOf, type Target } from './attack.ts'

const ROWS = 530
const ORDINARY_ROWS = 50
/** A row of the file may have 1 MiB. */
const TOO_LARGE_BYTES = 1_000_000
const LARGEST_BYTES = 63 * 1024
const MAX_PAGE_BYTES = 16 * 1024 * 1024

/** One member stores the largest values that are accepted, and tries larger ones. */
export const bigValues: Attack = async (target) => {
  const refused = await importRows(target, 'Too large', TOO_LARGE_BYTES)
  if (refused.failed !== ROWS || refused.errors.some(({ column }) => column !== 'financials'))
    throw new Error(`values of 1 MB were not refused row by row: ${JSON.stringify(refused).slice(0, 300)}`)
  const stored = await importRows(target, 'Large', LARGEST_BYTES)
  if (stored.created !== ROWS + ORDINARY_ROWS)
    throw new Error(`values of 63 KB were not stored: ${JSON.stringify(stored).slice(0, 300)}`)
  const page = await readPage(target)
  const exported = await exportLarge(target)
  const summary = `page of 1,000: ${page}, ${exported}`
  if (!target.databaseUrl) return summary
  await writeLegacyValues(target.databaseUrl)
  return `${summary}; with 1 MB in old rows: ${await readPage(target)}, ${await exportLarge(target)}`
}

interface Report {
  created: number
  failed: number
  errors: { column: string; message: string }[]
}

async function importRows({ url }: Target, name: string, bytes: number): Promise<Report> {
  const financials = `"{""x"":""${'x'.repeat(bytes)}""}"`
  const domain = name.replace(' ', '-').toLowerCase()
  function* lines(): Generator<string> {
    yield 'name,website,financials\n'
    for (let row = 1; row <= ROWS; row += 1)
      yield `${name} ${row},https://${domain}-${row}.example,${financials}\n`
    // The newest ones, so that what others read is an ordinary page and not part of the attack.
    for (let row = 1; row <= ORDINARY_ROWS; row += 1) yield `Small ${name} ${row},,\n`
  }
  const { statusCode, body } = await request(`${url}/api/companies/import`, {
    method: 'POST',
    headers: { ...headersOf(0), 'content-type': 'text/csv' },
    body: Readable.from(lines()),
  })
  if (statusCode !== 200) throw new Error(`the import was answered with ${statusCode} ${await body.text()}`)
  return ((await body.json()) as { data: Report }).data
}

/** @returns the status and size of the largest page */
async function readPage({ url }: Target): Promise<string> {
  const answer = await fetch(`${url}/api/companies?limit=1000`, { headers: headersOf(0) })
  const { length } = await answer.text()
  if (![200, 400].includes(answer.status) || length > MAX_PAGE_BYTES)
    throw new Error(`the page was answered with ${answer.status} and ${length} bytes`)
  return `${answer.status} with ${length} bytes`
}

/** Exports everything, and counts the companies with large values in it. */
async function exportLarge({ url }: Target): Promise<string> {
  const answer = await fetch(`${url}/api/companies/export`, { headers: headersOf(0) })
  if (answer.status !== 200 || !answer.body)
    throw new Error(`the export was answered with ${answer.status} ${await answer.text()}`)
  let bytes = 0
  let rows = 0
  let end = ''
  for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) {
    bytes += chunk.length
    const text = end + chunk
    rows += text.split('https://large-').length - 1
    end = text.slice(-'https://large'.length)
  }
  if (rows !== ROWS) throw new Error(`the export has ${rows} of ${ROWS} large companies`)
  return `export of ${Math.round(bytes / 1024 / 1024)} MB`
}

/** Values as they could be stored before they had a limit. */
async function writeLegacyValues(databaseUrl: string): Promise<void> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  try {
    await client.query(
      `update companies set financials = jsonb_build_object('x', repeat('x', ${TOO_LARGE_BYTES}))
       where name like 'Large %'`,
    )
  } finally {
    await client.end()
  }
}
