import { type Kysely, sql } from 'kysely'

/** Backups that were made on a schedule. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table backup_runs (
      due_at timestamptz primary key,
      state text not null,
      started_at timestamptz not null,
      finished_at timestamptz,
      claimed_until timestamptz not null,
      name text,
      bytes bigint,
      rows bigint,
      files int,
      snapshot_seconds float8,
      error text,
      constraint backup_runs_states check (state in ('running', 'completed', 'failed'))
    )`.execute(db)
}
