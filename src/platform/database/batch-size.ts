import type { Db } from './database.ts'

/** A database, and how long, in milliseconds, a transaction with one batch of many records takes in it. */
export interface BatchedDb {
  db: Db
  maxBatchMs: number
}

/** Nobody knows yet how long a record takes. */
const FIRST = 50
const MAX_GROWTH = 4

/** How many records a transaction writes, so that it does not keep others waiting for longer than it may. */
export class BatchSize {
  readonly #most: number
  readonly #maxMs: number
  #records: number

  /**
   * @param most in one transaction, however fast it is
   * @param maxMs `maxBatchMs` of the database
   */
  constructor(most: number, maxMs: number) {
    this.#most = most
    this.#maxMs = maxMs
    this.#records = Number.isFinite(maxMs) ? Math.min(FIRST, most) : most
  }

  get records(): number {
    return this.#records
  }

  /**
   * Runs the work on a batch, whose time determines the size of the next one.
   * @param work within its transaction, so that waiting for other transactions does not count
   * @param countOf how many records it has written: finding none says nothing about how long one takes
   */
  async measure<T>(work: () => Promise<T>, countOf: (result: T) => number): Promise<T> {
    const start = performance.now()
    const result = await work()
    const records = countOf(result)
    if (records > 0) this.#adjust(records, performance.now() - start)
    return result
  }

  #adjust(records: number, ms: number): void {
    const fitting = Math.round((records * this.#maxMs) / Math.max(ms, 1))
    this.#records = Math.min(this.#most, Math.max(1, Math.min(fitting, this.#records * MAX_GROWTH)))
  }
}
