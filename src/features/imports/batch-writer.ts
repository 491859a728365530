import { type Action, recordAction } from '#src/features/activity/index.ts'
import {
  companyActivity,
  companyUpdate,
  insertCompanies,
  type StoredCompany,
  sourceKey,
  updateCompanies,
} from '#src/features/companies/index.ts'
import type { CustomFieldMap, CustomFields } from '#src/features/fields/index.ts'
import { takeLock } from '#src/platform/database/advisory-locks.ts'
import type { Db } from '#src/platform/database/database.ts'
import { Conflict, Unavailable } from '#src/platform/errors.ts'
import type { Objects } from '#src/platform/objects/objects.ts'
import { customValuesError, inTurn, writeOrSplit } from './batches.ts'
import type { ImportColumns } from './columns/columns.ts'
import type { IndexMerges } from './index-merges.ts'
import type { PlannedCompany, ReadCompany } from './plan.ts'
import type { BatchPlan, BatchPlanner, RowNote } from './plan-batch.ts'

export interface ImportParts {
  db: Db
  longBatchLength: number
  customFields: CustomFields
  objects: Objects
  /** Not for the embedded database, which has one connection. */
  indexMerges?: IndexMerges | undefined
}

interface WriterOptions {
  action: Action
  dryRun: boolean
  importId: string
  columns: ImportColumns
  planner: BatchPlanner
  /** Called before each batch is written. */
  requireAllowed(): void
  /** Called with what has happened, once it is stored. */
  done(plan: BatchPlan): void
  /** Called for each row that cannot be stored, with the reason. */
  reject(row: number, message: string): void
}

/** Writes the companies of an import in batches, each in one transaction with its activity records. */
export class BatchWriter {
  readonly #parts: ImportParts
  readonly #options: WriterOptions

  constructor(parts: ImportParts, options: WriterOptions) {
    this.#parts = parts
    this.#options = options
  }

  /**
   * Writes a batch. Imports of this process take turns here, without holding a database connection while they wait.
   * @param fields the custom fields when the first of its rows was read
   * @throws Unavailable when object storage cannot be written
   */
  async write(companies: ReadCompany[], fields: CustomFieldMap): Promise<void> {
    if (companies.length === 0) return
    return inTurn(() =>
      writeOrSplit(
        companies,
        (part) => this.#writeTransaction([...part], fields),
        ({ rows }, reason) => {
          for (const { row } of rows) this.#options.reject(row, reason)
        },
      ),
    )
  }

  async #writeTransaction(input: ReadCompany[], fields: CustomFieldMap): Promise<void> {
    const { db, indexMerges } = this.#parts
    const { dryRun, planner, done, reject, requireAllowed } = this.#options
    const { plan, outdated } = dryRun
      ? { plan: await planner.plan(db, input, fields), outdated: [] }
      : await db.transaction().execute(async (transaction) => {
          // Imports write one at a time, so that two with the same company create it once.
          await takeLock(transaction, 'import')
          requireAllowed()
          await indexMerges?.postpone(transaction)
          const current = await this.#parts.customFields.lock(transaction, 'company')
          const { companies, outdated } = withoutOutdated(input, fields, current)
          const plan = await planner.plan(transaction, companies, current)
          await this.#store(transaction, plan)
          return { plan, outdated }
        })
    if (!dryRun) indexMerges?.merge()
    planner.keep(plan)
    for (const { row, message } of [...outdated, ...plan.rejected]) reject(row, message)
    done(plan)
  }

  /** Source files are complete before the commit: a crash may leave an extra file, but no company without its file. */
  async #store(db: Db, plan: BatchPlan): Promise<void> {
    const [rows, files] = await Promise.allSettled([
      this.#storeRows(db, plan),
      this.#parts.objects.write(this.#sourceFiles(plan)),
    ])
    if (rows.status === 'rejected') throw rows.reason
    if (files.status === 'rejected' && files.reason instanceof Unavailable) throw files.reason
    if (files.status === 'rejected')
      throw new Unavailable('The source rows cannot be written to object storage.', {
        cause: files.reason,
      })
  }

  *#sourceFiles({ companies }: BatchPlan): Generator<[string, string]> {
    for (const { company, sources } of combined(companies))
      if (sources.length > 0) yield [sourceKey(company.id), this.#options.columns.source(sources)]
  }

  async #storeRows(db: Db, { companies }: BatchPlan): Promise<void> {
    const { action, importId } = this.#options
    const import_id = importId
    const changes = combined(companies)
    const created = changes.filter(({ before }) => !before).map(({ company }) => company)
    const updated = changes.flatMap(({ before, company, changed }) =>
      before && changed.length > 0 ? [{ before, company, changed }] : [],
    )
    if (created.length > 0) await insertCompanies(created).execute(db)
    if (updated.length > 0) await updateCompanies(updated.map(companyOf)).execute(db)
    const undoneBy = await recordAction(db, action, [
      ...created.map(({ id }) => companyActivity('company_created', id, { import_id })),
      ...updated.map(({ before, company, changed }) =>
        companyUpdate(before, company, changed, { import_id }),
      ),
    ])
    if (undoneBy) throw new Conflict(`The import was undone by ${undoneBy} while it was running.`)
  }
}

/** Each company once: a row about a company, and one about another that was merged into it, change the same. */
function combined(companies: readonly PlannedCompany[]): PlannedCompany[] {
  const byId = new Map<string, PlannedCompany>()
  for (const planned of companies) {
    const earlier = byId.get(planned.company.id)
    byId.set(
      planned.company.id,
      earlier
        ? {
            ...planned,
            before: earlier.before,
            changed: [...new Set([...earlier.changed, ...planned.changed])],
            sources: [...earlier.sources, ...planned.sources],
          }
        : planned,
    )
  }
  return [...byId.values()]
}

const companyOf = ({ company }: { company: StoredCompany }): StoredCompany => company

/** Leaves out the rows whose custom values are no longer allowed since they were read. */
function withoutOutdated(
  companies: ReadCompany[],
  previous: CustomFieldMap,
  fields: CustomFieldMap,
): { companies: ReadCompany[]; outdated: RowNote[] } {
  if (fields === previous) return { companies, outdated: [] }
  const outdated: RowNote[] = []
  const allowed = companies.map(({ of, rows }) => ({
    of,
    rows: rows.filter(({ row, fields: { custom = {} } }) => {
      const message = customValuesError(fields, custom)
      if (message !== undefined) outdated.push({ row, message })
      return message === undefined
    }),
  }))
  return { companies: allowed.filter(({ rows }) => rows.length > 0), outdated }
}
