import { type RawBuilder, sql } from 'kysely'
import { type Lock, takeLock } from './advisory-locks.ts'
import type { Db } from './database.ts'
import { HttpError, unavailable } from './errors.ts'

const RETRY_MS = 30_000

/** pgvector is not there, or this user may not create it. */
const NO_EXTENSION = new Set(['0A000', '58P01', '42501'])

/** Which documents may be found: a query for their ids, `undefined` for all; and one that may not. */
export interface Allowed {
  filter: RawBuilder<unknown> | undefined
  except: string | undefined
}

/** At most so many documents are compared one by one; with more an index is quicker. */
const MOST_COMPARED = 10_000

/** Whether a filter keeps so few documents that looking at each of them is quicker than an index. */
export async function keepsFew(db: Db, filter: RawBuilder<unknown>): Promise<boolean> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::float8 as n from (${filter} limit ${MOST_COMPARED + 1}) allowed`.execute(db)
  return (rows[0]?.n ?? 0) <= MOST_COMPARED
}

/**
 * What creates, when it is first called, what needs pgvector and is not there yet: in one transaction, by one process
 * at a time. After a failure it starts anew.
 * @returns a function that throws an HttpError 503 without pgvector, which is looked for again after half a minute
 */
export function preparation(
  db: Db,
  lock: Lock,
  create: (transaction: Db) => Promise<void>,
): () => Promise<void> {
  let prepared: Promise<void> | undefined
  return () => {
    if (prepared) return prepared
    const preparing = prepare(db, lock, create)
    prepared = preparing
    preparing.catch((error) => {
      const forget = () => {
        prepared = undefined
      }
      if (error instanceof HttpError) setTimeout(forget, RETRY_MS).unref()
      else forget()
    })
    return preparing
  }
}

async function prepare(db: Db, lock: Lock, create: (transaction: Db) => Promise<void>): Promise<void> {
  try {
    await db.transaction().execute(async (transaction) => {
      await takeLock(transaction, lock)
      await sql`create extension if not exists vector`.execute(transaction)
      await create(transaction)
    })
  } catch (error) {
    if (!NO_EXTENSION.has((error as { code?: string }).code ?? '')) throw error
    throw unavailable(
      'The database has no pgvector, which the search by meaning needs. Install it (on Debian postgresql-17-pgvector) and ' +
        'let an administrator run "create extension vector" there; the service looks again by itself.',
      error,
    )
  }
}
