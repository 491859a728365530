import { type Kysely, sql } from 'kysely'

/** Imports of people and notes. Like those of companies, their records of the whole import are about no record. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table imports add column type text not null default 'company'`.execute(db)
  // Imports look notes up by these.
  await sql`create index notes_by_source on notes (source) where source is not null`.execute(db)
  await sql`create index notes_by_body on notes (md5(body))`.execute(db)
  await sql`
    create index trashed_notes_by_source on trash ((content -> 'record' ->> 'source')) where entity_type = 'note'`.execute(
    db,
  )
  const columns = sql.raw('entity_type, user_email, activity_type')
  await sql`
    create or replace function note_activity_insert() returns trigger language plpgsql as $$
    begin
      insert into activity_count_deltas (${columns}, n) select ${columns}, count(*) from added group by ${columns};
      insert into change_events (kind, record_id, records, action_id, readers)
        select case entity_type when 'dealflow' then 'deal' else entity_type end,
          case when count(distinct entity_id) = 1 then min(entity_id) end, count(distinct entity_id), action_id, readers
        from added left join private_records on private_records.id = entity_id
        where activity_type not in ('companies_imported', 'people_imported', 'notes_imported')
        group by entity_type, action_id, readers;
      return null;
    end $$`.execute(db)
}
