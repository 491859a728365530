import { type Kysely, sql } from 'kysely'

/** Tables whose changes are events of a kind, with the column that identifies the record. */
const SOURCES = [
  { table: 'fields', kind: 'field', id: 'id', on: ['insert', 'update', 'delete'] },
  { table: 'users', kind: 'user', id: 'email', on: ['insert', 'update', 'delete'] },
  { table: 'bulk_actions', kind: 'bulk_action', id: 'id', on: ['insert', 'update'] },
  { table: 'imports', kind: 'import', id: 'id', on: ['insert', 'update'] },
  { table: 'thesis_verdicts', kind: 'thesis', id: 'thesis_id', on: ['insert', 'update', 'delete'] },
  { table: 'deal_stage_config', kind: 'stage', id: 'null::text', on: ['update'] },
]

/**
 * A log of what each statement has changed, for event streams, and past imports. Triggers write the log, so it misses no
 * change: one row for each kind of record and action.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createImports(db)
  await sql`
    create table change_events (
      xid xid8 not null default pg_current_xact_id(),
      kind text not null,
      record_id text collate "C",
      records int not null,
      action_id text collate "C",
      owner_email text,
      at timestamptz not null default clock_timestamp()
    )`.execute(db)
  await sql`create index change_events_by_xid on change_events (xid)`.execute(db)
  // What happened before this entry is not in the log.
  await sql`insert into change_events (kind, records) values ('', 0)`.execute(db)
  await noteActivity(db)
  await noteTags(db)
  for (const source of SOURCES) for (const event of source.on) await note(db, event, source)
  for (const event of ['insert', 'update', 'delete']) await noteViews(db, event)
}

async function createImports(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table imports (
      id text collate "C" primary key,
      user_email text,
      file_name text,
      file_bytes bigint,
      state text not null,
      bytes_read bigint not null default 0,
      counts json not null,
      action_id text collate "C",
      report json,
      error text,
      started_at timestamptz not null,
      advanced_at timestamptz not null default clock_timestamp(),
      finished_at timestamptz
    )`.execute(db)
  await sql`create index imports_running on imports (advanced_at) where state = 'running'`.execute(db)
}

/** The trigger of the counter writes the events too. */
async function noteActivity(db: Kysely<unknown>): Promise<void> {
  const columns = sql.raw('entity_type, user_email, activity_type')
  await sql`
    create or replace function note_activity_insert() returns trigger language plpgsql as $$
    begin
      insert into activity_count_deltas (${columns}, n) select ${columns}, count(*) from added group by ${columns};
      insert into change_events (kind, record_id, records, action_id)
        select case entity_type when 'dealflow' then 'deal' else entity_type end,
          case when count(distinct entity_id) = 1 then min(entity_id) end, count(distinct entity_id), action_id
        from added where activity_type <> 'companies_imported' group by entity_type, action_id;
      return null;
    end $$`.execute(db)
}

async function noteTags(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function note_tag_event() returns trigger language plpgsql as $$
    begin
      insert into change_events (kind, record_id, records)
        select 'tag', case when count(distinct tag) = 1 then min(tag) end, count(distinct tag)
        from added where tag is not null having count(*) > 0;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger note_tag_event after insert on company_tag_count_deltas referencing new table as added
    for each statement execute function note_tag_event()`.execute(db)
}

async function note(
  db: Kysely<unknown>,
  event: string,
  { table, kind, id }: { table: string; kind: string; id: string },
): Promise<void> {
  const name = sql.id(`note_${table}_event_${event}`)
  const rows = sql.raw(event === 'delete' ? 'old table as changed' : 'new table as changed')
  const record = sql.raw(id)
  await sql`
    create function ${name}() returns trigger language plpgsql as $$
    begin
      insert into change_events (kind, record_id, records)
        select ${sql.lit(kind)}, case when count(distinct ${record}) = 1 then min(${record}) end, count(*)
        from changed having count(*) > 0;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger ${name} after ${sql.raw(event)} on ${sql.id(table)} referencing ${rows}
    for each statement execute function ${name}()`.execute(db)
}

/** A private view is its owner's business. One that was shared until now disappears for the others. */
async function noteViews(db: Kysely<unknown>, event: string): Promise<void> {
  const name = sql.id(`note_views_event_${event}`)
  const former = event === 'insert' ? undefined : 'old table as former'
  const current = event === 'delete' ? undefined : 'new table as changed'
  const rows = [former && 'select * from former', current && 'select * from changed'].filter(Boolean)
  await sql`
    create function ${name}() returns trigger language plpgsql as $$
    begin
      insert into change_events (kind, record_id, records, owner_email)
        select distinct 'view', id, 1, case when visibility = 'private' then owner_email end
        from (${sql.raw(rows.join(' union all '))}) views;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger ${name} after ${sql.raw(event)} on views
    referencing ${sql.raw([former, current].filter(Boolean).join(' '))}
    for each statement execute function ${name}()`.execute(db)
}
