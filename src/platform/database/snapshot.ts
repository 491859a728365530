import { sql } from 'kysely'

/** The database's current snapshot: which transactions the statement sees. */
export const snapshot = sql`pg_current_snapshot()::text`
