import { type Kysely, sql } from 'kysely'

/** Imports of deals. Like those of other records, their records of the whole import are about no record. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // What an import recognizes a deal by that an earlier one has written.
  await sql`alter table dealflow add column import_key text collate "C"`.execute(db)
  await sql`create index dealflow_by_import_key on dealflow (import_key) where import_key is not null`.execute(
    db,
  )
  await sql`
    create index trashed_deals_by_import_key on trash ((content -> 'record' ->> 'import_key'))
      where entity_type = 'dealflow'`.execute(db)
  const columns = sql.raw('entity_type, user_email, activity_type')
  await sql`
    create or replace function note_activity_insert() returns trigger language plpgsql as $$
    begin
      insert into activity_count_deltas (${columns}, n) select ${columns}, count(*) from added group by ${columns};
      insert into change_events (kind, record_id, records, action_id, readers)
        select case entity_type when 'dealflow' then 'deal' else entity_type end,
          case when count(distinct entity_id) = 1 then min(entity_id) end, count(distinct entity_id), action_id, readers
        from added left join private_records on private_records.id = entity_id
        where activity_type not in ('companies_imported', 'people_imported', 'notes_imported', 'deals_imported')
        group by entity_type, action_id, readers;
      return null;
    end $$`.execute(db)
}
