import { type Kysely, sql } from 'kysely'

/**
 * The ledger: activity records keep former and new values, and belong to actions that can be undone. Deleted records are
 * kept in `trash`, outside of the tables that lists read.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table activity add column changes json, add column action_id text collate "C", add column via text`.execute(
    db,
  )
  await sql`
    create index activity_by_action on activity (action_id, entity_id) where action_id is not null`.execute(
    db,
  )
  await createActions(db)
  await createTrash(db)
  await createShortening(db)
  await noteDeletedCompanies(db)
}

async function createActions(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table actions (
      id text collate "C" primary key,
      kind text not null,
      user_email text,
      created_at timestamptz not null,
      records int not null,
      undoes text collate "C",
      undone_by text collate "C"
    )`.execute(db)
  await sql`
    create table undos (
      id text collate "C" primary key,
      action_id text collate "C" not null,
      user_email text,
      request_key text,
      phase int not null default 0,
      last_id text collate "C" not null default '',
      reverted int not null default 0,
      skipped json not null default '[]',
      skipped_omitted int not null default 0,
      advanced_at timestamptz not null default clock_timestamp(),
      finished_at timestamptz
    )`.execute(db)
  await sql`create index undos_unfinished on undos (advanced_at) where finished_at is null`.execute(db)
}

async function createTrash(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table trash (
      id text collate "C" primary key,
      entity_type text not null,
      name text not null,
      company_id text collate "C",
      parent_id text collate "C",
      match_key text collate "C",
      user_email text,
      action_id text collate "C" not null,
      deleted_at timestamptz not null,
      purging boolean not null default false,
      content json not null
    )`.execute(db)
  await sql`create index trash_by_time on trash (deleted_at, id) where parent_id is null`.execute(db)
  await sql`create index trash_by_company on trash (company_id)`.execute(db)
  await sql`create index trash_by_match_key on trash (match_key) where match_key is not null`.execute(db)
  // Deleting a company looks its rows up; the primary key begins with the action.
  await sql`create index bulk_action_companies_by_company on bulk_action_companies (company_id)`.execute(db)
}

/** Lists show at most 2 KB of a value. */
async function createShortening(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function shorten_value(value json) returns json language sql immutable parallel safe
    return case when octet_length(value::text) <= 2048 then value
      else to_json(left(value #>> '{}', 500) || '…') end`.execute(db)
  await sql`
    create function shorten_changes(changes json) returns json language sql immutable parallel safe
    return case when octet_length(changes::text) <= 2048 then changes else (
      select json_object_agg(key, case
        when octet_length((value -> 'from')::text) <= 2048 and octet_length((value -> 'to')::text) <= 2048 then value
        else json_build_object('from', shorten_value(value -> 'from'), 'to', shorten_value(value -> 'to'),
          'truncated', true) end)
      from json_each(changes)) end`.execute(db)
}

/** The search indexes forget companies that are gone. */
async function noteDeletedCompanies(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function note_company_text_delete() returns trigger language plpgsql as $$
    begin
      insert into companies_to_embed (company_id) select id from removed order by id
      on conflict (company_id) do update set change = excluded.change;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger note_company_text_delete after delete on companies referencing old table as removed
    for each statement execute function note_company_text_delete()`.execute(db)
}
