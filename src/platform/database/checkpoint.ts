import { sql } from 'kysely'
import type { Db } from './database.ts'

/** Larger logs take more disk and a longer start after a crash; more frequent checkpoints write more. */
const MAX_LOG_BYTES = 64 * 1024 * 1024

/**
 * Writes a checkpoint once the write-ahead log has grown by 64 MB, so that PostgreSQL uses the log's files again. PGlite has
 * no process that would do this.
 */
export async function checkpoint(db: Db): Promise<void> {
  const { rows } = await sql<{ bytes: number }>`
    select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn)::float8 as bytes
    from pg_control_checkpoint()`.execute(db)
  if (Number(rows[0]?.bytes) > MAX_LOG_BYTES) await sql`checkpoint`.execute(db)
}
