import { type Kysely, sql } from 'kysely'

/** Events of private records go to those who may see them: the owner of a private view, the readers of a private note. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table change_events add column readers text[] collate "C"`.execute(db)
  await sql`update change_events set readers = array[owner_email] where owner_email is not null`.execute(db)
  await sql`alter table change_events drop column owner_email`.execute(db)
  await noteActivity(db)
  await noteReaders(db)
  for (const event of ['insert', 'update', 'delete']) await noteViews(db, event)
}

async function noteActivity(db: Kysely<unknown>): Promise<void> {
  const columns = sql.raw('entity_type, user_email, activity_type')
  await sql`
    create or replace function note_activity_insert() returns trigger language plpgsql as $$
    begin
      insert into activity_count_deltas (${columns}, n) select ${columns}, count(*) from added group by ${columns};
      insert into change_events (kind, record_id, records, action_id, readers)
        select case entity_type when 'dealflow' then 'deal' else entity_type end,
          case when count(distinct entity_id) = 1 then min(entity_id) end, count(distinct entity_id), action_id, readers
        from added left join private_records on private_records.id = entity_id
        where activity_type <> 'companies_imported' group by entity_type, action_id, readers;
      return null;
    end $$`.execute(db)
}

/** Those who could see a record until its readers changed are told, so that it disappears for them. */
async function noteReaders(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function note_readers() returns trigger language plpgsql as $$
    begin
      insert into change_events (kind, record_id, records, readers)
        select entity_type, new.id, 1, case tg_op when 'UPDATE' then old.readers end
        from activity where entity_id = new.id order by id limit 1;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger note_new_readers after insert on private_records for each row execute function note_readers()`.execute(
    db,
  )
  await sql`
    create trigger note_changed_readers after update on private_records for each row
    when (old.readers is distinct from new.readers) execute function note_readers()`.execute(db)
}

async function noteViews(db: Kysely<unknown>, event: string): Promise<void> {
  const name = sql.id(`note_views_event_${event}`)
  const rows = [event !== 'insert' && 'select * from former', event !== 'delete' && 'select * from changed']
  await sql`
    create or replace function ${name}() returns trigger language plpgsql as $$
    begin
      insert into change_events (kind, record_id, records, readers)
        select distinct 'view', id, 1, case when visibility = 'private' then array[owner_email] end
        from (${sql.raw(rows.filter(Boolean).join(' union all '))}) views;
      return null;
    end $$`.execute(db)
}
