import { type Kysely, sql } from 'kysely'
import { takeLock } from '#src/platform/database/advisory-locks.ts'
import type { Db } from '#src/platform/database/database.ts'

/** Adds filtering of the activity log by type: the counters distinguish types, and an index finds rare ones. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index activity_by_activity_type on activity (activity_type, id)`.execute(db)
  // Concurrent writers and folds wait for this migration, so nothing is counted twice.
  await takeLock(db as Db, 'fold counters')
  await sql`lock table activity in share row exclusive mode`.execute(db)
  const columns = sql.raw('entity_type, user_email, activity_type')
  await sql`truncate activity_counts, activity_count_deltas`.execute(db)
  await sql`alter table activity_count_deltas add column activity_type text collate "C"`.execute(db)
  await sql`alter table activity_counts add column activity_type text collate "C"`.execute(db)
  await sql`alter table activity_counts drop constraint activity_counts_entity_type_user_email_key`.execute(
    db,
  )
  await sql`alter table activity_counts add unique nulls not distinct (${columns})`.execute(db)
  await sql`
    insert into activity_counts (${columns}, n) select ${columns}, count(*) from activity group by ${columns}`.execute(
    db,
  )
  const rows = {
    insert: 'select *, 1 as difference from added',
    update: 'select *, 1 as difference from added union all select *, -1 from removed',
    delete: 'select *, -1 as difference from removed',
  }
  for (const [event, changed] of Object.entries(rows))
    await sql`
      create or replace function ${sql.id(`note_activity_${event}`)}() returns trigger language plpgsql as $$
      begin
        insert into activity_count_deltas (${columns}, n)
        select ${columns}, sum(difference) from (${sql.raw(changed)}) changed group by ${columns};
        return null;
      end $$`.execute(db)
}
