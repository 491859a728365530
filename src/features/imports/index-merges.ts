import { sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'

/** The indexes for keyword search. */
const INDEXES = ['companies_by_search_text', 'companies_by_spelled_out_text', 'companies_by_website_text']
/** In kB: the entries of several batches. */
const PENDING_LIMIT = 16_384

/**
 * PostgreSQL collects new entries of the indexes for keyword search and merges them in the insert that exceeds a limit,
 * usually 4 MB. For an import, another connection merges them while the next batch is written.
 */
export class IndexMerges {
  readonly #background: Db
  #isWanted = false
  #isRunning = false

  constructor(background: Db) {
    this.#background = background
  }

  /** Lets the inserts of a transaction leave their entries to `merge`. */
  async postpone(transaction: Db): Promise<void> {
    await sql`set local gin_pending_list_limit = ${sql.lit(PENDING_LIMIT)}`.execute(transaction)
  }

  /** Starts merging the entries so far. If a merge is running, another one follows. */
  merge(): void {
    this.#isWanted = true
    if (!this.#isRunning) void this.#mergeWanted()
  }

  async #mergeWanted(): Promise<void> {
    this.#isRunning = true
    while (this.#isWanted) {
      this.#isWanted = false
      // If it fails, a later insert or PostgreSQL's own maintenance merges them.
      await sql`select gin_clean_pending_list(name::regclass) from unnest(${INDEXES}::text[]) name`
        .execute(this.#background)
        .catch(() => {})
    }
    this.#isRunning = false
  }
}
