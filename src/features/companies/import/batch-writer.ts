import { sql } from 'kysely'
import { type Action, recordAction } from '#src/features/activity/store.ts'
import { sourceKey } from '#src/features/companies/files.ts'
import {
  companyActivity,
  companyUpdate,
  insertCompanies,
  lockCompanies,
  updateCompanies,
} from '#src/features/companies/store.ts'
import { type CustomFieldMap, type CustomFields, changeCustom } from '#src/features/custom-fields/store.ts'
import { takeLock } from '#src/platform/database/advisory-locks.ts'
import type { Db } from '#src/platform/database/database.ts'
import { Conflict, InvalidInput, Unavailable } from '#src/platform/errors.ts'
import type { Objects } from '#src/platform/objects/objects.ts'
import type { ImportColumns } from './columns.ts'
import type { IndexMerges } from './index-merges.ts'
import { ImportPlanner, type Known, type PendingRow, type Plan } from './plan.ts'
import { rejectionOf } from './rejection.ts'
import { findTrashedCompanies, followMerged } from './trashed.ts'

/** The last write of this process. */
let lastWrite: Promise<void> = Promise.resolve()

/** Brings companies back from the trash. */
export type RestoreCompanies = (transaction: Db, action: Action, ids: string[]) => Promise<unknown>

export interface ImportParts {
  db: Db
  longBatchLength: number
  customFields: CustomFields
  objects: Objects
  restore: RestoreCompanies
  /** Not for the embedded database, which has one connection. */
  indexMerges?: IndexMerges | undefined
}

interface Batch {
  plan: Plan
  /** The number of rows that were planned. */
  planned: number
  /** The rows that are left out because the custom fields have changed since they were read. */
  outdated: Plan['rejected']
  /** The number of rows that match a company in the trash. */
  trashed: number
  /** The number of restored companies. */
  restored: number
}

interface WriterOptions {
  action: Action
  dryRun: boolean
  onTrashed: 'skip' | 'restore'
  importId: string
  columns: ImportColumns
  /** Called for each row that the database rejects, with the reason. */
  reject(row: number, message: string): void
}

/** The rows with custom values that are no longer allowed. */
const findOutdated = (rows: PendingRow[], fields: CustomFieldMap): Plan['rejected'] =>
  rows.flatMap(({ row, fields: { custom = {} } }) => {
    try {
      changeCustom(fields, {}, custom)
      return []
    } catch (error) {
      if (error instanceof InvalidInput) return [{ row, message: error.message }]
      throw error
    }
  })

/** Writes the rows of an import in batches, each in one transaction with its activity records. */
export class BatchWriter {
  readonly counts = { created: 0, updated: 0, unchanged: 0, trashed: 0, restored: 0 }
  readonly #parts: ImportParts
  readonly #options: WriterOptions
  readonly #planner: ImportPlanner

  constructor(parts: ImportParts, options: WriterOptions) {
    this.#parts = parts
    this.#options = options
    this.#planner = new ImportPlanner(options.dryRun)
  }

  /**
   * Writes a batch. Imports of this process take turns here, without holding a database connection while they wait.
   * @param fields the custom fields when the first of its rows was read
   * @throws Unavailable when object storage cannot be written
   */
  async write(rows: PendingRow[], fields: CustomFieldMap): Promise<void> {
    if (rows.length === 0) return
    const turn = lastWrite.then(() => this.#writeRows(rows, fields))
    lastWrite = turn.catch(() => {})
    return turn
  }

  /** Writes the rows; if the database rejects one, writes each half alone until only that row is left out. */
  async #writeRows(rows: PendingRow[], fields: CustomFieldMap): Promise<void> {
    try {
      await this.#writeTransaction(rows, fields)
    } catch (error) {
      const rejection = rejectionOf(error)
      if (!rejection) throw error
      const [first, ...others] = rows
      if (first && others.length === 0) return this.#options.reject(first.row, rejection)
      const middle = Math.ceil(rows.length / 2)
      await this.#writeRows(rows.slice(0, middle), fields)
      await this.#writeRows(rows.slice(middle), fields)
    }
  }

  async #writeTransaction(rows: PendingRow[], fields: CustomFieldMap): Promise<void> {
    const { db, indexMerges } = this.#parts
    const { plan, planned, outdated, trashed, restored } = this.#options.dryRun
      ? await this.#plan(db, rows, fields, fields)
      : await db.transaction().execute(async (transaction) => {
          // Imports write one at a time, so that two with the same company create it once.
          await takeLock(transaction, 'import')
          await indexMerges?.postpone(transaction)
          const current = await this.#parts.customFields.lock(transaction, 'company')
          const batch = await this.#plan(transaction, rows, fields, current)
          await this.#store(transaction, batch.plan)
          return batch
        })
    if (!this.#options.dryRun) indexMerges?.merge()
    this.#planner.keep(plan)
    this.counts.created += plan.created.size
    this.counts.updated += plan.updates
    this.counts.unchanged += planned - plan.rejected.length - plan.created.size - plan.updates
    for (const { row, message } of [...outdated, ...plan.rejected]) this.#options.reject(row, message)
    this.counts.trashed += trashed
    this.counts.restored += restored
  }

  /** Plans the rows, except those of companies that stay in the trash. */
  async #plan(db: Db, given: PendingRow[], former: CustomFieldMap, fields: CustomFieldMap): Promise<Batch> {
    const outdated = fields === former ? [] : findOutdated(given, fields)
    const left = new Set(outdated.map(({ row }) => row))
    const { rows, known } = await this.#match(
      db,
      given.filter(({ row }) => !left.has(row)),
    )
    const trashed = await findTrashedCompanies(db, rows, known)
    const isRestoring = this.#options.onTrashed === 'restore' && !this.#options.dryRun && trashed.size > 0
    const restored = isRestoring ? [...new Set(trashed.values())] : []
    if (isRestoring) await this.#parts.restore(db, this.#options.action, restored)
    const planned = isRestoring ? rows : rows.filter((row) => !trashed.has(row))
    const plan = this.#planner.plan(planned, isRestoring ? await this.#known(db, rows) : known, fields)
    return { plan, planned: planned.length, outdated, trashed: trashed.size, restored: restored.length }
  }

  async #match(db: Db, given: PendingRow[]): Promise<{ rows: PendingRow[]; known: Known }> {
    const known = await this.#known(db, given)
    const rows = await followMerged(db, given, known)
    return { rows, known: rows === given ? known : await this.#known(db, rows) }
  }

  /** The existing companies with the ids or keys of the rows. If several share a key, the oldest counts. */
  async #known(db: Db, rows: PendingRow[]): Promise<Known> {
    const keys = [...new Set(rows.map(({ key }) => key))]
    const ids = rows.map(({ id }) => id).filter((id) => id !== undefined)
    const where =
      ids.length > 0
        ? sql`match_key = any(${keys}) or companies.id = any(${ids})`
        : sql`match_key = any(${keys})`
    const companies = await lockCompanies(db, where)
    return {
      byId: new Map(companies.map((company) => [company.id, company])),
      byKey: new Map(companies.reverse().map((company) => [company.match_key, company])),
    }
  }

  /** Source files are complete before the commit: a crash may leave an extra file, but no company without its file. */
  async #store(db: Db, plan: Plan): Promise<void> {
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

  *#sourceFiles({ sources }: Plan): Generator<[string, string]> {
    for (const [id, cells] of sources) yield [sourceKey(id), this.#options.columns.source(cells)]
  }

  async #storeRows(db: Db, { created, updated }: Plan): Promise<void> {
    const { action, importId } = this.#options
    const import_id = importId
    if (created.size > 0) await insertCompanies([...created.values()]).execute(db)
    if (updated.size > 0)
      await updateCompanies([...updated.values()].map(({ company }) => company)).execute(db)
    const undoneBy = await recordAction(db, action, [
      ...[...created.keys()].map((id) => companyActivity('company_created', id, { import_id })),
      ...[...updated.values()].map(({ before, company, changed }) =>
        companyUpdate(before, company, changed, { import_id }),
      ),
    ])
    if (undoneBy) throw new Conflict(`The import was undone by ${undoneBy} while it was running.`)
  }
}
