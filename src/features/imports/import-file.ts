import { companyFieldKind } from '#src/features/companies/index.ts'
import { type CustomFieldMap, customKey } from '#src/features/fields/index.ts'
import { thesisIdsByCode } from '#src/features/theses/index.ts'
import { userReferences } from '#src/features/users/index.ts'
import type { ReplayableFile, TemporaryFiles } from '#src/platform/csv/replayable-file.ts'
import { openTable, type Table, type TableOptions } from '#src/platform/csv/table.ts'
import { InvalidInput } from '#src/platform/errors.ts'
import type { User } from '#src/platform/identity/identity.ts'
import { truncate } from '#src/platform/truncate.ts'
import type { ImportParts } from './batch-writer.ts'
import { ImportColumns, type ImportMapping, isExport } from './columns/columns.ts'
import { CustomColumns } from './columns/custom-columns.ts'
import { ImportedFieldSet } from './columns/new-fields.ts'
import { isColumnName } from './columns/recognize-columns.ts'
import { describeFile, missingColumn, preambleOf, requireHeader } from './describe-file.ts'
import { FileRows } from './file-rows.ts'
import { FormatSurvey } from './formats/format-survey.ts'
import { Import } from './import.ts'
import type { ImportChoices, ImportRequest } from './import-options.ts'
import { settleCompanies } from './matching/settle.ts'
import { Repairs } from './repairs.ts'
import { IdentityReader } from './rows/identity-reader.ts'
import { RowReader } from './rows/row-reader.ts'
import type { FormatChoices, ImportRepairs, ImportReport, OnConflict } from './schema.ts'
import { surveyRows } from './survey.ts'

export interface ImportOptions extends ImportChoices, ImportRequest {
  onConflict: OnConflict
  /** The name of a custom field, `custom.<key>`, that identifies companies. */
  identifyBy: string | undefined
  mapping: ImportMapping
  formats: FormatChoices
  repairs: ImportRepairs
  table: Pick<TableOptions, 'encoding' | 'delimiter' | 'headerRow' | 'sheet'>
  temporary: TemporaryFiles
  /** Its reason ends the import. */
  signal: AbortSignal
  /** Called when the file has been read once. */
  onStart(importing: Import): Promise<void>
  /** @param share of the rows that have been imported, 0 to 1 */
  onProgress(share: number): void
  /** @throws Forbidden if the user may not create custom fields */
  authorizeFields(): void
}

/**
 * Imports a file. Reads it twice: first to find out what it says, then to write it, in batches of one transaction each. A
 * dry run does the same without writing.
 * @throws InvalidInput when the file is no table, has no column of names, or an option does not fit it; Unavailable
 *   if the service stops or the database is down, Conflict if a field cannot be created
 */
export async function importFile(
  parts: ImportParts,
  user: User | null,
  file: ReplayableFile,
  options: ImportOptions,
): Promise<ImportReport> {
  const { temporary, signal } = options
  const table = await openTable(file, {
    ...options.table,
    ...{ isColumnName, isVerbatim: (header) => isExport(header), temporary, signal },
  })
  try {
    return await importTable(parts, user, table, options)
  } finally {
    await table.close()
  }
}

async function importTable(
  parts: ImportParts,
  user: User | null,
  table: Table,
  options: ImportOptions,
): Promise<ImportReport> {
  const prepared = await prepareTable(parts, table, options)
  const { columns, customColumns, fieldSet, survey, formats, rows } = prepared
  const importing = new Import(parts, user, options, prepared)
  await options.onStart(importing)
  try {
    let done = 0
    for await (const row of rows.read()) {
      await importing.add(row)
      done += 1
      options.onProgress(done / survey.rows)
    }
    return {
      ...(await importing.finish()),
      file: describeFile(table, columns, customColumns, survey.samples),
      formats: formats.report,
      stopped_at_row: rows.stoppedAtRow,
      columns: { ...columns.recognized, ...customColumns.recognized },
      ignored_columns: customColumns.ignored,
      new_fields: fieldSet.created,
      dry_run: options.dryRun,
    }
  } catch (error) {
    await importing.abandon()
    throw error
  }
}

/** Reads the table once, and decides what the second reading needs to know. */
async function prepareTable(parts: ImportParts, table: Table, options: ImportOptions) {
  requireHeader(table)
  const columns = new ImportColumns(table.header, options.mapping)
  await parts.customFields.refresh()
  const known = parts.customFields.of('company')
  const mapping = withTextKey(options.mapping, options.identifyBy)
  const customColumns = new CustomColumns(columns, mapping, known)
  if (!columns.has('name')) throw await missingColumn(table, columns, customColumns, COMPANY_NAME)
  if (customColumns.created.length > 0) options.authorizeFields()
  const identifyBy = identifyingKey(options.identifyBy, customColumns, known)
  const repairs = new Repairs(options.repairs, (column) => columns.find(column))
  const rows = new FileRows(table, repairs, options.signal)
  const formatSurvey = new FormatSurvey(columns, customColumns, {
    choices: options.formats,
    hasPlainNumbers: table.hasPlainNumbers,
    preamble: preambleOf(table),
  })
  const survey = await surveyRows(rows, {
    columns,
    formats: formatSurvey,
    identities: new IdentityReader(columns, new Set(columns.indexes('country'))),
    key: (cells) => (identifyBy === undefined ? '' : customColumns.text(identifyBy, cells)) || undefined,
  })
  if (rows.stoppedAtRow === null) repairs.requireAll()
  const fieldSet = new ImportedFieldSet(
    { ...parts, fieldKind: companyFieldKind, dryRun: options.dryRun },
    customColumns,
    known,
  )
  if (fieldSet.isIncomplete) await fieldSet.createMissing(survey.sample)
  const formats = formatSurvey.decide(fieldSet.fields)
  const references = { theses: await thesisIdsByCode(parts.db), users: await userReferences(parts.db) }
  const policy = { onConflict: options.onConflict, byRow: repairs.decisions }
  return {
    ...{ columns, customColumns, fieldSet, formats, identifyBy, policy, rows, survey },
    reader: new RowReader(columns, customColumns, formats, references),
    settled: await settleCompanies(parts.db, survey.companies, policy, identifyBy),
  }
}

const COMPANY_NAME = { field: 'name', what: "the company's name" }

/** A field that is created to identify companies is text: an id such as 007 is no number. */
function withTextKey(mapping: ImportMapping, name: string | undefined): ImportMapping {
  const mapped = name === undefined ? undefined : mapping[name]
  return name !== undefined && typeof mapped === 'object' && mapped !== null && 'column' in mapped
    ? { ...mapping, [name]: { type: 'text', ...mapped } }
    : mapping
}

/**
 * The key of the custom field that identifies companies.
 * @throws InvalidInput if no column is imported to it, or it is no text
 */
function identifyingKey(
  name: string | undefined,
  columns: CustomColumns,
  fields: CustomFieldMap,
): string | undefined {
  if (name === undefined) return undefined
  const key = customKey(name)
  const created = columns.created.find(([field]) => field === key)?.[1]
  const type = fields.get(key ?? '')?.type ?? created?.type
  if (key !== undefined && type !== undefined && type !== 'text')
    throw new InvalidInput(`identify_by must be a custom field of the type text, and ${name} is ${type}.`)
  if (key !== undefined && Object.hasOwn(columns.recognized, name)) return key
  throw new InvalidInput(
    `identify_by must be a custom field that a column is imported to, such as custom.crm_id with mapping={"custom.crm_id": "Record ID"}, not "${truncate(name, 60)}".`,
  )
}
