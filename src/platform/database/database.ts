import type { PGlite } from '@electric-sql/pglite'
import type { Kysely } from 'kysely'

/** The tables as Kysely sees them. Each slice adds its own. JSON columns are written as text. */
// biome-ignore lint/suspicious/noEmptyInterface: the slices add to it
export interface Tables {}

export type Db = Kysely<Tables>

export interface Database {
  readonly db: Db
  /** For imports, exports and counts of values, which must not keep other requests waiting. */
  readonly long: Db
  /** How many characters a statement of long work writes: in the embedded database, requests wait for it. */
  readonly longBatchLength: number
  /**
   * How long, in milliseconds, a transaction with one batch of many records takes: in the embedded database, requests wait
   * for it. Infinite for PostgreSQL.
   */
  readonly maxBatchMs: number
  /** For migrations and work beside the requests: no statement times out. */
  readonly background: Db
  /** For `/readyz`, and for reading who has access: short statements that must not wait for others. */
  readonly probe: Db
  /** For what needs connections of its own: the embedded database itself, or where PostgreSQL is. */
  readonly source: { pglite: PGlite } | { connectionString: string }
  close(): Promise<void>
}
