import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { Readable } from 'node:stream'
import type { Client } from '#src/client/client.ts'
import { ApiError } from '#src/client/errors.ts'
import { fetchWithoutTimeout, HOLDS, type Holds, type ImportSettings, sizeOf } from './import.ts'
import { InputError } from './input-error.ts'

type ImportedFile = Awaited<ReturnType<Client['importCompanies']>>['data']['file']

const NOUNS = { company: 'companies', person: 'people', note: 'notes', deal: 'deals' } as const
/** Only these settings say how the file is read. */
const READING = ['encoding', 'delimiter', 'header_row', 'sheet']
/** Only imports of companies have these. */
const OF_COMPANIES = ['on_conflict', 'identify_by']

/**
 * What a file holds: as its column names say, or as the user answers.
 * @throws InputError if nobody can be asked
 */
export async function chooseHolds(
  client: Client,
  path: string,
  { choices, dryRun }: Pick<ImportSettings, 'choices' | 'dryRun'>,
): Promise<Holds> {
  // Standard input can be read only once.
  if (path === '-' || OF_COMPANIES.some((name) => choices[name] !== undefined)) return 'companies'
  await sizeOf(path)
  const { file, rows } = await describe(client, path, choices)
  if (!file || file.holds.type === 'company') return 'companies'
  const { type, source, reason } = file.holds
  const noun = NOUNS[type]
  const from =
    source === null
      ? ''
      : source === 'export'
        ? 'an export of '
        : `${/^[AEIO]/.test(source) ? 'an' : 'a'} ${source} export of `
  const counted = rows === undefined ? noun : rows === 1 ? `1 ${type}` : `${rows} ${noun}`
  const found = `This looks like ${from}${counted}. ${reason}`
  if (dryRun || !process.stdin.isTTY) {
    if (!dryRun)
      throw new InputError(`${found}\nAdd --holds ${noun}, or --holds companies to import it as companies.`)
    console.log(found)
    return noun
  }
  const input = createInterface({ input: process.stdin, output: process.stderr })
  try {
    for (;;) {
      const question = `${found}\nWhat does the file hold: companies, people, notes, or deals? [${noun}] `
      const answer = (await input.question(question)).trim().toLowerCase() || noun
      const holds = HOLDS.find((one) => one === answer)
      if (holds) return holds
    }
  } finally {
    input.close()
  }
}

/** Reads the file in a dry run. */
async function describe(
  client: Client,
  path: string,
  choices: ImportSettings['choices'],
): Promise<{ file: ImportedFile | undefined; rows?: number }> {
  const reading = Object.fromEntries(
    READING.flatMap((name) => (choices[name] === undefined ? [] : [[name, choices[name]]])),
  )
  const send = await fetchWithoutTimeout()
  let refused: ImportedFile | undefined
  const keep: typeof fetch = async (address, init) => {
    const response = await send(address, init)
    if (response.status === 400) refused = ((await response.clone().json()) as { file?: ImportedFile }).file
    return response
  }
  try {
    const body = Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>
    const { data } = await client.importCompanies(
      { querystring: { dry_run: true, ...reading }, body },
      { fetch: keep },
    )
    return {
      file: data.file,
      rows: data.created + data.updated + data.unchanged + data.trashed + data.failed,
    }
  } catch (error) {
    // The import itself reports what is wrong with the file.
    if (error instanceof ApiError && error.status === 400) return { file: refused }
    throw error
  }
}
