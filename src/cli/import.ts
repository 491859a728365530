import { createReadStream } from 'node:fs'
import { stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable, Transform } from 'node:stream'
import { SingleBar } from 'cli-progress'
import { stringify } from 'csv-stringify/sync'
import type { Client } from '#src/client/client.ts'
import { InputError } from './input-error.ts'

/** From field to column, or to the column of a custom field that is created if there is none. */
export type ColumnMapping = Record<string, string | { column: string }>

export interface ImportSettings {
  dryRun: boolean
  mapping: ColumnMapping
  /** The file to write the errors to. */
  errors: string | undefined
}

type Report = Awaited<ReturnType<Client['importCompanies']>>['data']

const MAX_PRINTED_ERRORS = 10

/** `import`: uploads a CSV file of companies, shows the progress and prints a summary. Returns the exit status. */
export async function importCommand(client: Client, file: string, settings: ImportSettings): Promise<number> {
  const { dryRun, mapping, errors } = settings
  const { size } = file === '-' ? { size: 0 } : await stat(file)
  if (file !== '-' && !(await stat(file)).isFile()) throw new InputError(`${file} is not a file.`)
  const bar = new SingleBar({ format: '{bar} {percentage}% of {megabytes} MB', clearOnComplete: true })
  if (size > 0 && process.stderr.isTTY) bar.start(size, 0, { megabytes: (size / 1e6).toFixed(1) })
  const progress = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bar.increment(chunk.length)
      done(null, chunk)
    },
  })
  const input: Readable = file === '-' ? process.stdin : createReadStream(file)
  input.on('error', (error) => progress.destroy(error)).pipe(progress)
  try {
    const upload = {
      querystring: {
        dry_run: dryRun,
        ...(file === '-' ? {} : { file_name: path.basename(file).slice(0, 255) }),
        ...(Object.keys(mapping).length > 0 ? { mapping: JSON.stringify(mapping) } : {}),
      },
      body: Readable.toWeb(progress) as ReadableStream<Uint8Array>,
    }
    const { data } = await client.importCompanies(upload, { fetch: await fetchWithoutTimeout() })
    bar.stop()
    console.log(summary(data))
    if (errors)
      await writeFile(errors, stringify(data.errors, { header: true, columns: ['row', 'column', 'message'] }))
    return data.failed > 0 ? 1 : 0
  } finally {
    bar.stop()
  }
}

/** The import goes on long after the upload, and the `fetch` of Node.js gives up after five minutes. */
async function fetchWithoutTimeout(): Promise<typeof fetch> {
  const { Agent, fetch: send } = await import('undici')
  const dispatcher = new Agent({ headersTimeout: 0 })
  return ((address: string, init: object) =>
    send(address, { ...init, dispatcher })) as unknown as typeof fetch
}

const stopped = (row: number) =>
  `Stopped at row ${row}: too many rows are not valid CSV. The rows after it were not imported.`

function summary(report: Report): string {
  const { created, updated, unchanged, failed, errors, stopped_at_row, dry_run } = report
  const shown = errors.slice(0, MAX_PRINTED_ERRORS)
  const more = failed - shown.length
  return [
    dry_run ? 'Dry run: nothing was written. Expected result:' : 'Imported:',
    `  created   ${created}`,
    `  updated   ${updated}`,
    `  unchanged ${unchanged}`,
    `  failed    ${failed}`,
    'Columns:',
    ...Object.entries(report.columns).map(
      ([field, columns]) => `  ${field} from ${columns.join(', or else ')}`,
    ),
    ...(report.ignored_columns.length > 0 ? [`  ignored: ${report.ignored_columns.join(', ')}`] : []),
    ...(failed > 0 ? ['Errors:'] : []),
    ...shown.map(({ row, column, message }) => `  row ${row}${column ? `, ${column}` : ''}: ${message}`),
    ...(stopped_at_row === null ? [] : [stopped(stopped_at_row)]),
    ...(more > 0 ? [`  and ${more} more; --errors FILE.csv saves the first 1,000`] : []),
  ].join('\n')
}
