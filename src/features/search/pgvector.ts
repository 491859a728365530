import { type RawBuilder, sql } from 'kysely'
import { takeLock } from '#src/platform/database/advisory-locks.ts'
import type { Db } from '#src/platform/database/database.ts'
import { isReadOnly } from '#src/platform/database/errors.ts'
import { all } from '#src/platform/database/sql.ts'
import { Unavailable } from '#src/platform/errors.ts'
import { memoize } from '#src/platform/single-flight.ts'

const RETRY_MS = 30_000

/** pgvector is not installed, or this user may not create it. */
const EXTENSION_ERRORS = new Set(['0A000', '58P01', '42501'])

const NO_PGVECTOR =
  'The database has no pgvector, which semantic search needs. Install it (on Debian, postgresql-17-pgvector) and have ' +
  'an administrator run "create extension vector" in the database. The service checks again automatically.'

const READ_ONLY = 'The database is read-only, and the index that semantic search needs has not been created.'

/**
 * Why tables that need pgvector do not exist; null if they do. Only reads, so that it answers on any database, and while
 * the tables are being created.
 */
export async function missingPrerequisite(db: Db, tables: readonly string[]): Promise<string | null> {
  const { rows } = await sql<{ exist: boolean; isReadOnly: boolean; canHavePgvector: boolean }>`
    select bool_and(to_regclass(name) is not null) as exist,
      current_setting('transaction_read_only') = 'on' as "isReadOnly",
      exists (select from pg_available_extension_versions where name = 'vector'
        and (installed or not superuser or current_setting('is_superuser') = 'on'
          or trusted and has_database_privilege(current_database(), 'create'))) as "canHavePgvector"
    from unnest(${[...tables]}::text[]) name`.execute(db)
  const [{ exist, isReadOnly, canHavePgvector }] = rows as [(typeof rows)[number]]
  if (exist) return null
  if (isReadOnly) return READ_ONLY
  return canHavePgvector ? 'The search index is being created.' : NO_PGVECTOR
}

/** The documents that a search may return. */
export interface SearchScope {
  /** A query for their ids; undefined for all documents. */
  filter: RawBuilder<unknown> | undefined
  /** Whether there are so few that reading each of them is faster than using an index. */
  isSmall: boolean
  excludedId: string | undefined
  /** A query for the ids of documents that are left out, if there are such. Faster than a filter that keeps most. */
  excluded?: RawBuilder<unknown>
}

/** A scope with at most this many documents is small. */
const MAX_SMALL_SCOPE = 10_000

export async function readScope(
  db: Db,
  filter: SearchScope['filter'],
  excludedId?: string,
): Promise<SearchScope> {
  if (!filter) return { filter, isSmall: false, excludedId }
  const { rows } = await sql<{ n: number }>`
    select count(*)::float8 as n from (${filter} limit ${MAX_SMALL_SCOPE + 1}) scope`.execute(db)
  return { filter, isSmall: (rows[0]?.n ?? 0) <= MAX_SMALL_SCOPE, excludedId }
}

/** The conditions that leave out single documents. */
export const inclusions = ({ excludedId, excluded }: SearchScope): RawBuilder<unknown>[] => [
  ...(excludedId ? [sql`id <> ${excludedId}`] : []),
  ...(excluded ? [sql`id not in (${excluded})`] : []),
]

/**
 * The rows in scope of a table with an `id` column. In a small scope each row is looked up by id: `offset 0` keeps the
 * planner, which does not know that the scope is small, from reading the whole table.
 */
export function rowsInScope(
  table: string,
  columns: RawBuilder<unknown>,
  where: RawBuilder<unknown>,
  scope: SearchScope,
): RawBuilder<unknown> {
  const { filter, isSmall } = scope
  const isIncluded = all(inclusions(scope))
  const rows = sql`select ${columns} from ${sql.table(table)} where ${where} and ${isIncluded}`
  if (!filter) return sql`${rows} offset 0`
  if (!isSmall) return sql`${rows} and id in (${filter}) offset 0`
  return sql`select looked_up.* from (${filter}) scope,
    lateral (${rows} and ${sql.id(table)}.id = scope.id offset 0) looked_up`
}

/**
 * Makes a function that creates objects that need pgvector, on its first call. It uses one transaction, and one process
 * runs at a time.
 * @param table which `create` creates. While the database is read-only, an existing one is used as it is.
 * @returns a function that throws Unavailable without pgvector, and then tries again after 30 seconds; also while the
 *   database is read-only, if there is no table
 * @throws Unavailable if pgvector is missing or too old
 */
export function pgvectorSetup(
  db: Db,
  table: string,
  create: (transaction: Db) => Promise<void>,
): () => Promise<void> {
  const prepare = memoize(() => setUp(db, create), {
    failureMs: (error) => (error instanceof Unavailable ? RETRY_MS : 0),
  })
  return async () => {
    try {
      await prepare()
    } catch (error) {
      if (!isReadOnly(error)) throw error
      if (!(await exists(db, table))) throw new Unavailable(READ_ONLY, { cause: error })
    }
  }
}

async function exists(db: Db, table: string): Promise<boolean> {
  const { rows } = await sql`select where to_regclass(${table}) is not null`.execute(db)
  return rows.length > 0
}

async function setUp(db: Db, create: (transaction: Db) => Promise<void>): Promise<void> {
  try {
    await db.transaction().execute(async (transaction) => {
      // Building an index, and waiting for another process that builds it, may take any time.
      await sql`set local statement_timeout = 0`.execute(transaction)
      await sql`set local lock_timeout = 0`.execute(transaction)
      // All setups share one lock. Otherwise they could deadlock, or a document that is indexed while a model is being
      // added would not be queued for that model.
      await takeLock(transaction, 'search indexes')
      await sql`create extension if not exists vector`.execute(transaction)
      await create(transaction)
    })
  } catch (error) {
    if (!EXTENSION_ERRORS.has((error as { code?: string }).code ?? '')) throw error
    throw new Unavailable(NO_PGVECTOR, { cause: error })
  }
}
