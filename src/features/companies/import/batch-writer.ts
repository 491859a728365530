import { sql } from 'kysely'
import { insertActivity } from '#src/features/activity/store.ts'
import { sourceKey } from '#src/features/companies/files.ts'
import { insertCompanies, lockCompanies, updateCompanies } from '#src/features/companies/store.ts'
import { companyActivity } from '#src/features/companies/write.ts'
import { takeLock } from '#src/platform/database/advisory-locks.ts'
import type { Db } from '#src/platform/database/database.ts'
import { Unavailable } from '#src/platform/errors.ts'
import type { User } from '#src/platform/identity/identity.ts'
import type { Objects } from '#src/platform/objects/objects.ts'
import type { ImportColumns } from './columns.ts'
import { ImportPlanner, type Known, type PendingRow, type Plan } from './plan.ts'
import { rejectionOf } from './rejection.ts'

/** The last write of this process. */
let lastWrite: Promise<void> = Promise.resolve()

export interface ImportParts {
  db: Db
  objects: Objects
}

interface WriterOptions {
  user: User | null
  dryRun: boolean
  importId: string
  columns: ImportColumns
  /** Called for each row that the database rejects, with the reason. */
  reject(row: number, message: string): void
}

/** Writes the rows of an import in batches, each in one transaction with its activity records. */
export class BatchWriter {
  readonly counts = { created: 0, updated: 0, unchanged: 0 }
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
   * @throws Unavailable when object storage cannot be written
   */
  async write(rows: PendingRow[]): Promise<void> {
    if (rows.length === 0) return
    const turn = lastWrite.then(() => this.#writeRows(rows))
    lastWrite = turn.catch(() => {})
    return turn
  }

  /** Writes the rows; if the database rejects one, writes each half alone until only that row is left out. */
  async #writeRows(rows: PendingRow[]): Promise<void> {
    try {
      await this.#writeTransaction(rows)
    } catch (error) {
      const rejection = rejectionOf(error)
      if (!rejection) throw error
      const [first, ...others] = rows
      if (first && others.length === 0) return this.#options.reject(first.row, rejection)
      const middle = Math.ceil(rows.length / 2)
      await this.#writeRows(rows.slice(0, middle))
      await this.#writeRows(rows.slice(middle))
    }
  }

  async #writeTransaction(rows: PendingRow[]): Promise<void> {
    const { db } = this.#parts
    const plan = this.#options.dryRun
      ? this.#planner.plan(rows, await this.#known(db, rows))
      : await db.transaction().execute(async (transaction) => {
          // Imports write one at a time, so that two with the same company create it once.
          await takeLock(transaction, 'import')
          const plan = this.#planner.plan(rows, await this.#known(transaction, rows))
          await this.#store(transaction, plan)
          return plan
        })
    this.#planner.keep(plan)
    this.counts.created += plan.created.size
    this.counts.updated += plan.updates
    this.counts.unchanged += rows.length - plan.created.size - plan.updates
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
      throw new Unavailable('The object storage, which keeps the source rows, cannot be written.', {
        cause: files.reason,
      })
  }

  *#sourceFiles({ sources }: Plan): Generator<[string, string]> {
    for (const [id, cells] of sources) yield [sourceKey(id), this.#options.columns.source(cells)]
  }

  async #storeRows(db: Db, { created, updated }: Plan): Promise<void> {
    const { user, importId } = this.#options
    if (created.size > 0) {
      const activities = [...created.keys()].map((id) =>
        companyActivity('company_created', id, { import_id: importId }),
      )
      await sql`with inserted as (${insertCompanies([...created.values()])})
        ${insertActivity(user, activities)}`.execute(db)
    }
    if (updated.size > 0) {
      const activities = [...updated].map(([id, { changed }]) =>
        companyActivity('company_updated', id, { fields: changed, import_id: importId }),
      )
      await sql`with changed as (${updateCompanies([...updated.values()].map(({ company }) => company))})
        ${insertActivity(user, activities)}`.execute(db)
    }
  }
}
