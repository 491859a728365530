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

export const HOLDS = ['companies', 'people', 'notes', 'deals'] as const
export type Holds = (typeof HOLDS)[number]

export interface ImportSettings {
  holds: Holds
  dryRun: boolean
  mapping: ColumnMapping
  /** The file to write the errors to. */
  errors: string | undefined
  /** Further settings of the import, which the service checks. */
  choices: Record<string, string | undefined>
}

type CompaniesReport = Awaited<ReturnType<Client['importCompanies']>>['data']
type RecordsReport = Awaited<ReturnType<Client['importPeople']>>['data']
type Report = CompaniesReport | RecordsReport

const MAX_PRINTED = 10

/** `import`: uploads a file, shows the progress and prints a summary. Returns the exit status. */
export async function importCommand(client: Client, file: string, settings: ImportSettings): Promise<number> {
  const { dryRun, errors } = settings
  const data = await upload(client, file, settings)
  console.log(summary(data))
  if (errors) await writeFile(errors, errorFile(data))
  if (
    dryRun &&
    'companies' in data &&
    data.companies.unknown.length > 0 &&
    !settings.choices.create_companies
  )
    console.log('Use --create-companies to create the companies that do not exist.')
  return data.failed > 0 ? 1 : 0
}

/** The size of a file. @throws InputError if there is no such file */
export async function sizeOf(file: string): Promise<number> {
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new InputError(`There is no such file: ${file}`)
    throw error
  })
  if (!found.isFile()) throw new InputError(`${file} is not a file.`)
  return found.size
}

async function upload(
  client: Client,
  file: string,
  { holds, dryRun, mapping, choices }: ImportSettings,
): Promise<Report> {
  const size = file === '-' ? 0 : await sizeOf(file)
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
    const request = {
      querystring: {
        dry_run: dryRun,
        ...(file === '-' ? {} : { file_name: path.basename(file).slice(0, 255) }),
        ...(Object.keys(mapping).length > 0 ? { mapping: JSON.stringify(mapping) } : {}),
        ...(Object.fromEntries(Object.entries(choices).filter(([, value]) => value !== undefined)) as object),
      },
      body: Readable.toWeb(progress) as ReadableStream<Uint8Array>,
    }
    const options = { fetch: await fetchWithoutTimeout() }
    if (holds === 'people') return (await client.importPeople(request, options)).data
    if (holds === 'notes') return (await client.importNotes(request, options)).data
    if (holds === 'deals') return (await client.importDeals(request, options)).data
    return (await client.importCompanies(request, options)).data
  } finally {
    bar.stop()
  }
}

/** The import goes on long after the upload, and the `fetch` of Node.js gives up after five minutes. */
export async function fetchWithoutTimeout(): Promise<typeof fetch> {
  const { Agent, fetch: send } = await import('undici')
  const dispatcher = new Agent({ headersTimeout: 0 })
  return ((address: string, init: object) =>
    send(address, { ...init, dispatcher })) as unknown as typeof fetch
}

const stopped = (row: number) =>
  `Stopped at row ${row}: too many rows are not valid CSV. The rows after it were not imported.`

/** The failed rows, and the cells that are left blank. */
const errorFile = ({ errors, bad_cells }: Report): string =>
  stringify(
    [
      ...errors,
      ...bad_cells.map(({ row, column, value, message }) => ({
        row,
        column,
        message: `The cell "${value}" was left blank: ${message}`,
      })),
    ],
    { header: true, columns: ['row', 'column', 'message'] },
  )

function summary(report: Report): string {
  const { errors, errors_omitted, stopped_at_row, dry_run, warnings, file, formats } = report
  const shown = errors.slice(0, MAX_PRINTED)
  const more = errors.length + errors_omitted - shown.length
  const counts: Partial<Record<(typeof COUNTS)[number], number>> = report
  return [
    dry_run ? 'Dry run: nothing was written. Expected result:' : 'Imported:',
    ...COUNTS.map((name) => [name, counts[name] ?? 0] as const)
      .filter(([name, count]) => ALWAYS_PRINTED.includes(name) || count > 0)
      .map(([name, count]) => `  ${name.replace('_', ' ').padEnd(9)} ${count}`),
    'Columns:',
    ...Object.entries(report.columns).map(
      ([field, columns]) => `  ${field} from ${columns.join(', or else ')}`,
    ),
    ...(report.ignored_columns.length > 0 ? [`  ignored: ${report.ignored_columns.join(', ')}`] : []),
    ...list('File:', [...readingOf(file), ...file.warnings]),
    ...list('Formats, which --formats sets:', formats.map(formatLine)),
    ...list(
      'Warnings:',
      warnings.map(
        ({ column, message, count, examples: [first] }) =>
          `${column ? `${column}: ` : ''}${message} ${count === 1 ? '1 cell' : `${count} cells`}${
            first ? `, such as "${first.value}" in row ${first.row}` : ''
          }.`,
      ),
    ),
    ...('companies' in report ? [...companiesOf(report), ...stagesOf(report)] : conflictsOf(report)),
    ...list(
      'type' in report && report.type === 'note'
        ? 'In the trash:'
        : 'In the trash, which --on-trashed=restore brings back:',
      report.trashed_rows.map(({ row, name }) => `row ${row}: ${name}`),
      report.trashed_rows_omitted,
    ),
    ...list(
      'Left out:',
      report.left_out_rows.map(({ row, text, reason }) => `row ${row}: ${reason} ${text}`.trimEnd()),
      report.left_out_rows_omitted,
    ),
    ...(shown.length > 0 ? ['Errors:'] : []),
    ...shown.map(({ row, column, message }) => `  row ${row}${column ? `, ${column}` : ''}: ${message}`),
    ...(more > 0 ? [`  and ${more} more; --errors FILE.csv saves the first 1,000`] : []),
    ...(stopped_at_row === null ? [] : [stopped(stopped_at_row)]),
  ].join('\n')
}

const conflictsOf = (report: CompaniesReport): string[] =>
  list(
    'Conflicts, which --on-conflict decides:',
    report.questions.map(
      ({ row, name, message, decision }) => `row ${row}, ${name}: ${message} (${decision})`,
    ),
    report.questions_omitted,
  )

/** The stages in a file of deals that are not configured. */
const stagesOf = ({ stages = [], stages_omitted = 0 }: RecordsReport): string[] =>
  list(
    'Stages that are not configured, which --stages maps:',
    stages.map(({ value, rows, stage, suggestion }) => {
      if (rows === 0) return `"${value}": no row has it`
      const count = rows === 1 ? '1 row' : `${rows} rows`
      const hint = suggestion === null || suggestion === stage ? '' : `; it may mean ${suggestion}`
      return `"${value}" is ${stage ?? 'left blank'} (${count}${hint})`
    }),
    stages_omitted,
  )

const REASONS = {
  unknown: 'not found',
  ambiguous: 'several companies, or another website',
  in_trash: 'in the trash',
}

/** The companies that people, notes, or deals are linked to. */
function companiesOf({ type, companies, dry_run }: RecordsReport): string[] {
  const rows = (count: number) => (count === 1 ? '1 row' : `${count} rows`)
  return [
    ...(companies.linked > 0 ? [`  companies that exist: ${companies.linked}`] : []),
    ...list(
      `Companies that ${dry_run ? 'would be' : 'were'} created: ${companies.created}`,
      companies.new.map((company) => `${company.name} (${rows(company.rows)})`),
      companies.new_omitted,
    ),
    ...list(
      type === 'deal' ? 'Companies whose rows fail:' : 'Companies that rows were not linked to:',
      companies.unknown.map(
        (company) => `${company.name || company.website}: ${REASONS[company.reason]} (${rows(company.rows)})`,
      ),
      companies.unknown_omitted,
    ),
  ]
}

/** What was detected about the file, unless it is as usual. */
function readingOf({ encoding, is_encoding_certain, header_row, sheet, sheets }: Report['file']): string[] {
  const others = sheets.filter((name) => name !== sheet)
  return [
    ...(encoding && !is_encoding_certain ? [`read as ${encoding}; --encoding chooses another`] : []),
    ...(header_row === 1 ? [] : [header_row === 0 ? 'no column names' : `column names in row ${header_row}`]),
    ...(others.length > 0 ? [`sheet "${sheet}"; --sheet chooses another: ${others.join(', ')}`] : []),
  ]
}

const QUESTIONS = {
  decimal: 'is the point or the comma the decimal sign?',
  currency: 'which currency is it, and what is its rate in euros?',
  date_order: 'is the day or the month first?',
}

function formatLine({ column, examples, question }: Report['formats'][number]): string {
  const shown = examples.map(({ cell, value }) => `"${cell}" is ${value === '' ? 'left blank' : value}`)
  return `${column}: ${[...shown, ...(question ? [QUESTIONS[question]] : [])].join('; ')}`
}

const COUNTS = [
  ...(['created', 'updated', 'unchanged', 'failed', 'trashed', 'restored', 'left_out', 'conflicts'] as const),
]
const ALWAYS_PRINTED: readonly string[] = ['created', 'updated', 'unchanged', 'failed']

/** A list with its title, unless it is empty. */
function list(title: string, lines: readonly string[], omitted = 0): string[] {
  if (lines.length === 0) return []
  const more = lines.length + omitted - Math.min(lines.length, MAX_PRINTED)
  return [
    title,
    ...lines.slice(0, MAX_PRINTED).map((line) => `  ${line}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ]
}
