import { changesOf } from '#src/features/activity/index.ts'
import type { StoredCompany } from '#src/features/companies/index.ts'
import { withCustomNames } from '#src/features/fields/index.ts'
import { type Conflict, explainConflict, shownCandidates, writtenIdentity } from './matching/conflict.ts'
import type { FileCompany } from './matching/file-company.ts'
import type { PlannedRow, ReadCompany } from './plan.ts'
import type { BatchPlan } from './plan-batch.ts'
import { type Listed, RowLists, ShownList, shortName, shownFields, shownValue } from './row-lists.ts'
import type { ReadFields } from './rows/row-reader.ts'

const KEPT_WEBSITE = 'The company has a website of its own, which a page on a shared host does not replace.'

/** Collects what happens to the rows of an import of companies. */
export class ReportLists extends RowLists {
  readonly #questions = new ShownList<Listed<'questions'>>()
  readonly #written = new WeakMap<FileCompany, ReadFields>()
  readonly #websiteColumn: string

  /**
   * @param previewRows the rows to show as they would be stored
   * @param websiteColumn the column of websites
   */
  constructor(previewRows: readonly number[], websiteColumn: string) {
    super(previewRows)
    this.#websiteColumn = websiteColumn
  }

  /** Keeps how the file writes a company that another one may be. */
  show(company: FileCompany, fields: ReadFields): void {
    if (!this.#written.has(company)) this.#written.set(company, fields)
  }

  /** Adds the results of a batch. */
  add({ companies, conflicts, skipped, trashed, restored }: BatchPlan): void {
    for (const { before, rows, keptWebsites } of companies) {
      for (const row of rows) this.addRow(resultOf(row, before?.id ?? null))
      for (const { row, value } of keptWebsites)
        this.note(row, { column: this.#websiteColumn, field: 'website', value, message: KEPT_WEBSITE })
    }
    for (const { company, conflict } of conflicts) {
      this.counts.conflicts += 1
      this.#questions.add(() => this.#questionOf(company, conflict))
    }
    for (const { rows } of skipped)
      for (const { row, cells } of rows) this.leaveOut(row, cells, 'Rows in conflict are left out.', false)
    for (const { rows } of trashed) for (const { row, fields } of rows) this.trash(row, String(fields.name))
    this.counts.restored += restored.size
  }

  /** The lists of a report. */
  get lists() {
    return {
      ...this.listsWith('company_id', 'company'),
      ...{ questions: this.#questions.shown, questions_omitted: this.#questions.omitted },
    }
  }

  #questionOf({ rows }: ReadCompany, conflict: Conflict): Listed<'questions'> {
    const { row, evidence, kind, decision } = conflict
    const fields = rows.find((one) => one.row === row)?.fields
    return {
      ...{ row, name: shortName(conflict.name), ...writtenIdentity(fields, evidence) },
      ...{ kind, message: explainConflict(conflict), decision },
      companies: shownCandidates(conflict, (company) => this.#written.get(company)),
    }
  }
}

const resultOf = (planned: PlannedRow, id: string | null) => ({
  ...{ row: planned.row, name: planned.name, outcome: planned.outcome, id },
  changes: () => shownChanges(planned),
  fields: () => shownCompany(planned.after),
})

const shownChanges = ({ before, after, changed }: PlannedRow) =>
  Object.fromEntries(
    Object.entries(changesOf(withCustomNames(before as StoredCompany), withCustomNames(after), changed)).map(
      ([field, { from, to }]) => [field, { from: shownValue(from), to: shownValue(to) }],
    ),
  )

/** The fields that are not blank, custom ones as `custom.<key>`. */
function shownCompany({ id: _id, created_at: _created, updated_at: _updated, ...company }: StoredCompany) {
  const { custom: _custom, ...fields } = withCustomNames(company as StoredCompany) as Record<string, unknown>
  return shownFields(fields)
}
