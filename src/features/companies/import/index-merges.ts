import { sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'

/** In kB. About 3,000 rows; PostgreSQL usually waits for 4 MB and then merges them in the insert that fills it. */
const PENDING_LIMIT = 16_384

/**
 * PostgreSQL collects new entries of the index for keyword search and merges them in the insert that has one too many. For
 * an import, another connection merges them while the next batch is written.
 */
export class IndexMerges {
  readonly #background: Db
  #isWanted = false
  #merging: Promise<void> = Promise.resolve()
  #isRunning = false

  constructor(background: Db) {
    this.#background = background
  }

  /** Lets the inserts of a transaction leave their entries to `merge`. */
  async postpone(transaction: Db): Promise<void> {
    await sql`set local gin_pending_list_limit = ${sql.lit(PENDING_LIMIT)}`.execute(transaction)
  }

  /** Starts merging what has been committed, or does so again once the present merge has ended. */
  merge(): void {
    this.#isWanted = true
    if (!this.#isRunning) this.#merging = this.#mergeWanted()
  }

  /** Resolves when nothing is being merged. */
  async settled(): Promise<void> {
    await this.#merging
  }

  async #mergeWanted(): Promise<void> {
    this.#isRunning = true
    while (this.#isWanted) {
      this.#isWanted = false
      // If it fails, a later insert or PostgreSQL's own maintenance merges them.
      await sql`select gin_clean_pending_list('companies_by_search_text')`
        .execute(this.#background)
        .catch(() => {})
    }
    this.#isRunning = false
  }
}
