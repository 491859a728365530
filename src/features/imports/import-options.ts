import type { Db } from '#src/platform/database/database.ts'
import type { ImportColumns } from './columns/columns.ts'
import type { CustomColumns } from './columns/custom-columns.ts'
import type { ImportedFieldSet } from './columns/new-fields.ts'
import type { ConflictPolicy } from './matching/conflict.ts'
import type { FileCompany } from './matching/file-company.ts'
import type { Settled } from './matching/settle.ts'
import type { ReportLists } from './report.ts'
import type { RowReader } from './rows/row-reader.ts'
import type { BadCells } from './schema.ts'
import type { Survey } from './survey.ts'

export type ImportCounts = ReportLists['counts']

/** How an import that changed companies is audited. */
export interface ImportAudit {
  /** In the transaction that also records the activity. */
  finished(transaction: Db, counts: ImportCounts): Promise<void>
  /** With the counts of the batches that are stored. */
  interrupted(counts: ImportCounts): void
}

export interface ImportRequest {
  audit: ImportAudit
  /** @throws if the user may no longer import */
  requireAllowed(): void
}

export interface ImportChoices {
  dryRun: boolean
  onTrashed: 'skip' | 'restore'
  badCells: BadCells
}

/** What is known of the file before its rows are imported. */
export interface PreparedFile {
  columns: ImportColumns
  customColumns: CustomColumns
  fieldSet: ImportedFieldSet
  reader: RowReader
  survey: Pick<Survey, 'companies' | 'previewRows'>
  settled: ReadonlyMap<FileCompany, Settled>
  policy: ConflictPolicy
  /** The key of the custom field that identifies companies. */
  identifyBy: string | undefined
}
