import { createWriteStream } from 'node:fs'
import { rename } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as NodeReadableStream } from 'node:stream/web'
import type { Client } from '#src/client/client.ts'

const OPERATIONS = { companies: 'exportCompanies', deals: 'exportDeals' } as const
export type Exported = keyof typeof OPERATIONS

/** What a word on the command line exports; undefined: it is a file. */
export const exportedBy = (word: string | undefined): Exported | undefined =>
  word !== undefined && Object.hasOwn(OPERATIONS, word) ? (word as Exported) : undefined

/** `export`: writes records as CSV to standard output or to a file, which only appears once it is complete. Returns the exit status. */
export async function exportCommand(
  client: Client,
  exported: Exported,
  file: string | undefined,
  filters: Record<string, string[]>,
  bom: boolean,
): Promise<number> {
  const csv = Readable.fromWeb(
    (await client[OPERATIONS[exported]]({
      querystring: { ...filters, ...(bom && { bom }) },
    })) as NodeReadableStream,
  )
  if (!file || file === '-') {
    await pipeline(csv, process.stdout, { end: false })
    return 0
  }
  const partFile = `${file}.unfinished`
  await pipeline(csv, createWriteStream(partFile))
  await rename(partFile, file)
  console.error(`Exported to ${file}.`)
  return 0
}
