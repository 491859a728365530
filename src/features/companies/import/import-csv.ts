import { thesisIdsByCode } from '#src/features/theses/store.ts'
import { userEmails } from '#src/features/users/store.ts'
import { type CsvRecord, readCsv } from '#src/platform/csv/read.ts'
import { InvalidInput } from '#src/platform/errors.ts'
import type { User } from '#src/platform/identity/identity.ts'
import type { ImportParts } from './batch-writer.ts'
import { ImportColumns } from './columns.ts'
import { CustomColumns } from './custom-columns.ts'
import { Import, type ImportOptions } from './import.ts'
import type { ImportReport } from './schema.ts'

/**
 * Imports a CSV file while it arrives. Each batch of rows is one transaction. Stops reading, and reports so, after
 * `MAX_MALFORMED_ROWS` rows that are not valid CSV.
 * @throws InvalidInput when the file has no header, no column has names, or the mapping does not fit the columns
 */
export async function importCsv(
  parts: ImportParts,
  user: User | null,
  file: AsyncIterable<Buffer>,
  options: ImportOptions,
): Promise<ImportReport> {
  let importing: Import | undefined
  try {
    for await (const records of readCsv(file)) {
      for (const record of records) {
        if (importing) await importing.add(record)
        else {
          importing = await startImport(parts, user, record, options)
          await options.onStart(importing)
        }
        if (importing.isStopped) return await importing.finish()
      }
    }
    if (!importing) throw new InvalidInput('The file is empty; its first line must name its columns.')
    return await importing.finish()
  } catch (error) {
    await importing?.abandon()
    throw error
  }
}

async function startImport(
  parts: ImportParts,
  user: User | null,
  header: CsvRecord,
  { mapping, ...options }: ImportOptions,
): Promise<Import> {
  if (!('cells' in header) || !isHeader(header.cells))
    throw new InvalidInput(
      `The header of the file cannot be read. ${'message' in header ? header.message : HEADER_LIMITS}`,
    )
  const columns = new ImportColumns(header.cells, mapping)
  await parts.customFields.refresh()
  const customColumns = new CustomColumns(columns, mapping, parts.customFields.of('company'))
  if (customColumns.created.length > 0) options.authorizeFields()
  const references = { theses: await thesisIdsByCode(parts.db), users: await userEmails(parts.db) }
  return new Import(parts, user, options, columns, customColumns, references)
}

const HEADER_LIMITS = 'It may have 1,000 columns, with names of up to 200 characters.'
const isHeader = (cells: string[]) => cells.length <= 1000 && cells.every((cell) => cell.length <= 200)
