import type { Client } from '#src/client/client.ts'
import type { Query } from '#web/api/service.ts'

type CompaniesReport = Awaited<ReturnType<Client['importCompanies']>>['data']
type RecordsReport = Awaited<ReturnType<Client['importPeople']>>['data']
/** The companies that the rows of people, notes, or deals name. */
export type NamedCompanies = RecordsReport['companies']
export type StageWord = NonNullable<RecordsReport['stages']>[number]
export type ImportReport = CompaniesReport & {
  /** undefined: the file holds companies. */
  type?: RecordsReport['type']
  companies?: NamedCompanies
  /** Of deals: the stages in the file that are not configured. */
  stages?: StageWord[]
  stages_omitted?: number
}
/** A report as the service sends it. */
export type SentReport = CompaniesReport | RecordsReport
export type ImportedFile = ImportReport['file']
export type ImportedColumn = ImportedFile['columns'][number]
export type ColumnFormat = ImportReport['formats'][number]
export type Question = ImportReport['questions'][number]
export type QuestionKind = Question['kind']
export type ChangedRow = ImportReport['changes'][number]
export type PreviewRow = ImportReport['preview'][number]

type ImportQuery = Query<'importCompanies'>
export type HeldType = ImportedFile['holds']['type']
export type OnExisting = NonNullable<Query<'importPeople'>['on_existing']>
export type Decision = NonNullable<ImportQuery['on_conflict']>
export type BadCells = NonNullable<ImportQuery['bad_cells']>
export type OnTrashed = NonNullable<ImportQuery['on_trashed']>
export type Delimiter = NonNullable<ImportQuery['delimiter']>

/** The parts that a report of an earlier version of the service lacks. */
const UNKNOWN = {
  ...{ left_out: 0, conflicts: 0, errors_omitted: 0, bad_cells_omitted: 0 },
  ...{ questions_omitted: 0, left_out_rows_omitted: 0 },
  ...{ errors: [], warnings: [], bad_cells: [], new_rows: [], changes: [], unchanged_rows: [] },
  ...{
    questions: [],
    left_out_rows: [],
    trashed_rows: [],
    preview: [],
    formats: [],
    new_fields: [],
    stopped_at_row: null,
  },
} satisfies Partial<ImportReport>

/** A report, with empty lists in place of those that an earlier version did not write. */
export const withAllLists = (sent: SentReport): ImportReport => {
  const report = 'companies' in sent ? ofRecords(sent) : sent
  return {
    ...UNKNOWN,
    ...{ new_rows_omitted: report.created, changes_omitted: report.updated },
    ...{ unchanged_rows_omitted: report.unchanged, trashed_rows_omitted: report.trashed },
    ...report,
  }
}

/** The report about people, notes, or deals, which have no page to go to and no questions. */
const ofRecords = ({ changes, unchanged_rows, preview, ...report }: RecordsReport): ImportReport => ({
  ...report,
  ...{ conflicts: 0, questions: [], questions_omitted: 0 },
  changes: changes.map((row) => ({ ...row, company_id: null })),
  unchanged_rows: unchanged_rows.map((row) => ({ ...row, company_id: null })),
  preview: preview.map(({ record, ...row }) => ({ ...row, company: record })),
})

/** Whether an import changes something. */
export const hasChanges = ({
  created,
  updated,
  restored,
}: Pick<ImportReport, 'created' | 'updated' | 'restored'>): boolean => created + updated + restored > 0
