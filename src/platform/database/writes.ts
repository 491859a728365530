import { sql } from 'kysely'
import type { Db } from './database.ts'
import { snapshot } from './snapshot.ts'

/** Work that is due at a certain time, such as a retry, is at most this late. */
const MAX_PAUSE_MS = 10_000

/**
 * Checks with one cheap statement whether any process has written to the database. Otherwise each background task would
 * run its own statement; together they took 4% of a core of an idle embedded service.
 */
export class DatabaseWrites {
  readonly #db: Db
  /** undefined: unknown, so that no work is skipped. */
  #snapshot: string | undefined

  constructor(db: Db) {
    this.#db = db
  }

  /** Looks for writes. Without it, no work is skipped. */
  async refresh(): Promise<void> {
    try {
      const { rows } = await sql<{ snapshot: string }>`select ${snapshot} as snapshot`.execute(this.#db)
      this.#snapshot = rows[0]?.snapshot
    } catch (error) {
      this.#snapshot = undefined
      throw error
    }
  }

  /**
   * The task, which is skipped for up to 10 seconds while nothing has been written since it began.
   * @param isDone whether the task has nothing left to do; by default unless it fails
   */
  skipUntilWritten<Options extends unknown[], T>(
    task: (...options: Options) => Promise<T>,
    isDone: (result: T) => boolean = () => true,
  ): (...options: Options) => Promise<T | undefined> {
    let done: { snapshot: string | undefined; at: number } | undefined
    return async (...options) => {
      const snapshot = this.#snapshot
      const at = performance.now()
      if (done?.snapshot !== undefined && done.snapshot === snapshot && at - done.at < MAX_PAUSE_MS)
        return undefined
      done = undefined
      const result = await task(...options)
      if (isDone(result)) done = { snapshot, at }
      return result
    }
  }
}
