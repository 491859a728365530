import { type Kysely, sql } from 'kysely'

/**
 * The log of changes becomes the outbox: one row for each activity record, numbered, with what the record says about its
 * type, user, and path. Changes that leave no activity record stay one row for each statement.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table change_events rename to events`.execute(db)
  await sql`
    alter table events
      add column seq bigint generated always as identity,
      add column type text,
      add column activity_id text collate "C",
      add column user_email text,
      add column via text`.execute(db)
  await sql`alter table events add constraint events_pkey primary key (seq)`.execute(db)
  // Finds the entries since a snapshot, of some kinds or of all.
  await sql`drop index change_events_by_xid`.execute(db)
  await sql`create index events_by_kind on events (kind, xid)`.execute(db)
  await mark(db)
  await renameInFunctions(db)
  await noteActivity(db)
  await keepFormerName(db)
}

/**
 * The release before reads the log by its former name, so that its event streams go on while processes are replaced one by
 * one. It keeps fewer entries than the outbox needs: what it removes stays.
 */
export async function keepFormerName(db: Kysely<unknown>): Promise<void> {
  await sql`
    create view change_events as
    select xid, kind, record_id, records, action_id, at, readers from events`.execute(db)
  await sql`
    create function keep_event() returns trigger language plpgsql as $$
    begin
      return null;
    end $$`.execute(db)
  await sql`
    create trigger keep_event instead of delete on change_events for each row execute function keep_event()`.execute(
    db,
  )
}

/** One entry says from where on the log is whole: it has all entries of later transactions, and all with higher numbers. */
async function mark(db: Kysely<unknown>): Promise<void> {
  await sql`
    insert into events (seq, xid, kind, records) overriding system value
    select 0, coalesce(min(xid), pg_current_xact_id()), '', 0 from events`.execute(db)
  await sql`delete from events where kind = '' and seq > 0`.execute(db)
}

/** The functions of all triggers that write the log. */
async function renameInFunctions(db: Kysely<unknown>): Promise<void> {
  await sql`
    do $$
    declare definition text;
    begin
      for definition in
        select pg_get_functiondef(pg_proc.oid) from pg_proc join pg_namespace n on n.oid = pronamespace
        where nspname = current_schema() and prosrc like '%change_events%'
      loop
        execute replace(definition, 'change_events', 'events');
      end loop;
    end $$`.execute(db)
}

/** Records of a whole import are about no record. */
async function noteActivity(db: Kysely<unknown>): Promise<void> {
  const columns = sql.raw('entity_type, user_email, activity_type')
  await sql`
    create or replace function note_activity_insert() returns trigger language plpgsql as $$
    begin
      insert into activity_count_deltas (${columns}, n) select ${columns}, count(*) from added group by ${columns};
      insert into events (kind, type, record_id, records, activity_id, action_id, user_email, via, readers)
        select kind, kind || '.' || case when starts_with(activity_type, entity_type || '_')
            then substr(activity_type, length(entity_type) + 2) else activity_type end,
          entity_id, 1, added.id, action_id, user_email, via, readers
        from added left join private_records on private_records.id = entity_id,
          lateral (select case entity_type when 'dealflow' then 'deal' else entity_type end as kind) named
        where activity_type not in ('companies_imported', 'people_imported', 'notes_imported', 'deals_imported')
        order by added.id;
      return null;
    end $$`.execute(db)
}
