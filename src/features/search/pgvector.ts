import { type RawBuilder, sql } from 'kysely'
import { takeLock } from '#src/platform/database/advisory-locks.ts'
import type { Db } from '#src/platform/database/database.ts'
import { Unavailable } from '#src/platform/errors.ts'
import { shareResult } from '#src/platform/process/share-result.ts'

const RETRY_MS = 30_000

/** pgvector is not there, or this user may not create it. */
const NO_EXTENSION = new Set(['0A000', '58P01', '42501'])

/** Which documents may be found. */
export interface Allowed {
  /** A query for their ids; `undefined`: all. */
  filter: RawBuilder<unknown> | undefined
  /** Whether they are so few that looking at each of them is quicker than an index. */
  areFew: boolean
  /** One that may not be found. */
  except: string | undefined
}

/** At most so many documents are looked at one by one. */
const SMALL_LIST_ROWS = 10_000

/** What may be found: what passes the filter, a query for ids, but one. */
export async function allowing(db: Db, filter: Allowed['filter'], except?: string): Promise<Allowed> {
  if (!filter) return { filter, areFew: false, except }
  const { rows } = await sql<{ n: number }>`
    select count(*)::float8 as n from (${filter} limit ${SMALL_LIST_ROWS + 1}) allowed`.execute(db)
  return { filter, areFew: (rows[0]?.n ?? 0) <= SMALL_LIST_ROWS, except }
}

/**
 * The rows of a table, with the column `id`, that may be found. Of few documents each row is looked up by its id: behind
 * "offset 0" the planner, who does not know how few they are, cannot decide to read the whole table instead.
 */
export function allowedRows(
  table: string,
  columns: RawBuilder<unknown>,
  where: RawBuilder<unknown>,
  { filter, areFew, except }: Allowed,
): RawBuilder<unknown> {
  const others = except === undefined ? sql`true` : sql`id <> ${except}`
  const rows = sql`select ${columns} from ${sql.table(table)} where ${where} and ${others}`
  if (!filter) return sql`${rows} offset 0`
  if (!areFew) return sql`${rows} and id in (${filter}) offset 0`
  return sql`select looked_up.* from (${filter}) allowed,
    lateral (${rows} and ${sql.id(table)}.id = allowed.id offset 0) looked_up`
}

/**
 * A function that creates, at its first call, what needs pgvector: in one transaction, in one process at a time.
 * @returns a function that throws Unavailable without pgvector, and looks for it again after half a minute
 */
export const preparation = (db: Db, create: (transaction: Db) => Promise<void>): (() => Promise<void>) =>
  shareResult(() => prepare(db, create), {
    failureMs: (error) => (error instanceof Unavailable ? RETRY_MS : 0),
  })

async function prepare(db: Db, create: (transaction: Db) => Promise<void>): Promise<void> {
  try {
    await db.transaction().execute(async (transaction) => {
      // Building an index takes as long as it takes, and so does waiting for another process that builds it.
      await sql`set local statement_timeout = 0`.execute(transaction)
      await sql`set local lock_timeout = 0`.execute(transaction)
      // The same one for all: waiting for each other's extension and lock they would be stuck. Also, a document that is
      // indexed by its words while a model becomes known would be noted as due for the models known before only.
      await takeLock(transaction, 'search indexes')
      await sql`create extension if not exists vector`.execute(transaction)
      await create(transaction)
    })
  } catch (error) {
    if (!NO_EXTENSION.has((error as { code?: string }).code ?? '')) throw error
    throw new Unavailable(
      'The database has no pgvector, which the search by meaning needs. Install it (on Debian postgresql-17-pgvector) and ' +
        'let an administrator run "create extension vector" there; the service looks again by itself.',
      { cause: error },
    )
  }
}
