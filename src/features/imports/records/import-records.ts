import type { CustomFieldMap } from '#src/features/fields/index.ts'
import { personFieldKind } from '#src/features/people/index.ts'
import type { ReplayableFile } from '#src/platform/csv/replayable-file.ts'
import { openTable, type Table } from '#src/platform/csv/table.ts'
import { InvalidInput } from '#src/platform/errors.ts'
import type { User } from '#src/platform/identity/identity.ts'
import { newId } from '#src/platform/ids.ts'
import type { ImportParts } from '../batch-writer.ts'
import { ImportColumns, isExport } from '../columns/columns.ts'
import { CustomColumns } from '../columns/custom-columns.ts'
import { ImportedFieldSet } from '../columns/new-fields.ts'
import { isColumnName } from '../columns/recognize-columns.ts'
import { describeFile, missingColumn, preambleOf, requireHeader } from '../describe-file.ts'
import { FileRows } from '../file-rows.ts'
import { FormatSurvey } from '../formats/format-survey.ts'
import type { RecordImportReport } from '../record-schema.ts'
import { Repairs } from '../repairs.ts'
import { MAX_PREVIEW_ROWS } from '../schema.ts'
import { lengthOf, Sample } from '../survey.ts'
import { RecordImport, RecordLists, type RecordPlanner } from './record-import.ts'
import { DEALS, NOTES, PEOPLE, type RecordKind, type RecordOptions } from './record-kinds.ts'

/** People, notes, and deals are kept in memory until they are written. */
const MAX_ROWS = 200_000
const MAX_LENGTH = 256 * 1024 * 1024
const TOO_MANY =
  'The file is too large: a file of people, notes, or deals may have 200,000 rows and 256 MB of text. Split it, and import the parts.'

const NO_CUSTOM_FIELDS = 'mapping must not create custom fields: notes have none.'

type Records = (
  parts: ImportParts,
  user: User | null,
  file: ReplayableFile,
  options: RecordOptions,
) => Promise<RecordImportReport>

/**
 * Imports a file of people with their companies. Reads it twice, and plans all of it before it writes anything, in batches of
 * one transaction each. A dry run does the same without writing.
 * @throws InvalidInput when the file is no table, has no column of names, or an option does not fit it; Unavailable
 *   if the service stops or the database is down, Conflict if a field cannot be created
 */
export const importPeople: Records = (parts, user, file, options) =>
  importRecords(PEOPLE, parts, user, file, options)

/** Imports a file of notes, in the same way as `importPeople`. */
export const importNotes: Records = (parts, user, file, options) =>
  importRecords(NOTES, parts, user, file, options)

/** Imports a file of deals, in the same way as `importPeople`. */
export const importDeals: Records = (parts, user, file, options) =>
  importRecords(DEALS, parts, user, file, options)

async function importRecords<Field extends string, Item>(
  kind: RecordKind<Field, Item>,
  parts: ImportParts,
  user: User | null,
  file: ReplayableFile,
  options: RecordOptions,
): Promise<RecordImportReport> {
  const { temporary, signal } = options
  const table = await openTable(file, {
    ...options.table,
    isColumnName: (name) => isColumnName(name) || kind.columns.recognize([name]).size > 0,
    isVerbatim: (header) => isExport(header, kind.columns),
    ...{ temporary, signal },
  })
  try {
    return await importTable(kind, parts, user, table, options)
  } finally {
    await table.close()
  }
}

async function importTable<Field extends string, Item>(
  kind: RecordKind<Field, Item>,
  parts: ImportParts,
  user: User | null,
  table: Table,
  options: RecordOptions,
): Promise<RecordImportReport> {
  requireHeader(table)
  const columns = new ImportColumns<Field>(table.header, options.mapping, kind.columns)
  await parts.customFields.refresh()
  const known: CustomFieldMap = kind.fieldKind ? parts.customFields.of(kind.fieldKind.entity) : new Map()
  const custom = new CustomColumns(columns, options.mapping, known)
  if (!kind.required.fields.some((field) => columns.has(field)))
    throw await missingColumn(table, columns, custom, kind.required)
  if (custom.created.length > 0) {
    if (!kind.fieldKind) throw new InvalidInput(NO_CUSTOM_FIELDS)
    options.authorizeFields()
  }
  const repairs = new Repairs(options.repairs, (column) => columns.find(column))
  const rows = new FileRows(table, repairs, options.signal)
  const survey = new FormatSurvey(columns, custom, {
    choices: options.formats,
    hasPlainNumbers: table.hasPlainNumbers,
    preamble: preambleOf(table),
  })
  const { sample, samples, previewRows } = await surveyRecords(rows, columns, survey)
  if (rows.stoppedAtRow === null) repairs.requireAll()
  const fieldSet = new ImportedFieldSet(
    { ...parts, fieldKind: kind.fieldKind ?? personFieldKind, dryRun: options.dryRun },
    custom,
    known,
  )
  if (fieldSet.isIncomplete) await fieldSet.createMissing(sample)
  const formats = survey.decide(fieldSet.fields)
  const importId = newId('imp')
  const lists = new RecordLists(options.dryRun ? previewRows : [])
  const importing = new RecordImport<Item>(parts, { id: importId, user, type: kind.type }, options, lists)
  const planner = await kind.planner({
    parts,
    options,
    columns,
    custom,
    formats,
    lists,
    importId,
    table,
    user,
  })
  await options.onStart(importing)
  try {
    await readRows(rows, { planner, lists, fieldSet, isLearning: custom.created.length > 0 })
    const items = await planner.plan(parts.db, fieldSet.fields)
    await importing.write(planner, items, options.onProgress, options.signal)
    await importing.finish()
  } catch (error) {
    importing.abandon()
    throw error
  }
  const { conflicts: _conflicts, ...counts } = lists.counts
  return {
    type: kind.type,
    ...counts,
    action_id: importing.changedBy,
    ...lists.lists,
    companies: planner.companies,
    ...planner.details,
    file: describeFile(table, columns, custom, samples),
    formats: formats.report,
    stopped_at_row: rows.stoppedAtRow,
    columns: { ...columns.recognized, ...custom.recognized },
    ignored_columns: custom.ignored,
    new_fields: fieldSet.created,
    dry_run: options.dryRun,
  }
}

/** Reads all rows once, to decide how the values of each column are written. */
async function surveyRecords(rows: FileRows, columns: ImportColumns<string>, formats: FormatSurvey) {
  const sample = new Sample(columns.header.length)
  const previewRows: number[] = []
  let total = 0
  let length = 0
  for await (const row of rows.read()) {
    total += 1
    if (row.kind !== 'record') continue
    length += lengthOf(row.cells)
    if (total > MAX_ROWS || length > MAX_LENGTH) throw new InvalidInput(TOO_MANY)
    formats.add(row.row, row.cells)
    sample.add(row.cells)
    if (previewRows.length < MAX_PREVIEW_ROWS) previewRows.push(row.row)
  }
  return { sample: sample.rows, samples: sample.columns.found, previewRows }
}

interface Reading {
  planner: Pick<RecordPlanner<unknown>, 'add'>
  lists: RecordLists
  fieldSet: ImportedFieldSet
  /** Whether rows may have options that fields do not have yet. */
  isLearning: boolean
}

async function readRows(rows: FileRows, { planner, lists, fieldSet, isLearning }: Reading): Promise<void> {
  for await (const row of rows.read()) {
    if (row.kind === 'malformed') lists.reject(row.row, row.message)
    else if (row.kind === 'left_out') lists.leaveOut(row.row, row.cells, row.reason, row.canInclude)
    else {
      if (isLearning) await fieldSet.learn(row.cells)
      planner.add(row.row, row.cells, fieldSet.fields)
    }
  }
}
