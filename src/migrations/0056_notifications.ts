import { type Kysely, sql } from 'kysely'

/** Who follows which records, what users are told, and up to where events have been read for that. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createFollows(db)
  await createNotifications(db)
  await sql`
    create table notification_settings (
      user_email text collate "C" primary key,
      mail jsonb not null default '{}',
      digest_hour smallint not null default 8,
      unsubscribe_token text collate "C" not null unique
        default replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''),
      created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
      constraint notification_settings_hour check (digest_hour between 0 and 23)
    )`.execute(db)
  // Clients may have stored anything as their time zone before it had a meaning.
  await sql`
    create function known_time_zone(zone text, otherwise text) returns text language plpgsql stable as $$
    begin
      perform now() at time zone zone;
      return coalesce(zone, otherwise);
    exception when invalid_parameter_value then return otherwise;
    end $$`.execute(db)
  await sql`
    create table event_consumers (
      name text collate "C" primary key,
      position text not null
    )`.execute(db)
  // Nobody is told of what happened before.
  await sql`
    insert into event_consumers (name, position)
    select name, pg_current_snapshot()::text from unnest(array['notifications', 'views']) as name`.execute(db)
}

/** No foreign keys: follows outlive the time that a record is in the trash, or part of another one. */
async function createFollows(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table follows (
      user_email text collate "C" not null,
      entity_type text collate "C" not null,
      entity_id text collate "C" not null,
      is_following boolean not null,
      reason text collate "C" not null,
      created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
      primary key (entity_id, user_email)
    )`.execute(db)
  await sql`create index follows_by_user on follows (user_email)`.execute(db)
  // Those who follow a record: by choice or automatically, one that was merged into it, or as its owner. A row of the record
  // itself wins, so those who have unfollowed it are left out.
  const hasNoRow = (id: string, email: string) => sql`
    not exists (select from follows own where own.entity_id = ${sql.ref(id)} and own.user_email = ${sql.ref(email)})`
  await sql`
    create view record_followers (entity_id, user_email, reason) as
      select entity_id, user_email, reason from follows where is_following
      union all
      select trash.company_id, follows.user_email, follows.reason
        from trash join follows on follows.entity_id = trash.id
        where trash.entity_type in ('company', 'person') and trash.parent_id is not null and is_following
          and ${hasNoRow('trash.company_id', 'follows.user_email')}
      union all
      select id, owner_email, 'owner' from companies
        where owner_email is not null and ${hasNoRow('companies.id', 'owner_email')}
      union all
      select id, owner_email, 'owner' from dealflow
        where owner_email is not null and ${hasNoRow('dealflow.id', 'owner_email')}
      union all
      select id, owner_email, 'owner' from people
        where owner_email is not null and ${hasNoRow('people.id', 'owner_email')}`.execute(db)
}

async function createNotifications(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table notifications (
      id text collate "C" primary key,
      user_email text collate "C" not null,
      kind text collate "C" not null,
      at timestamptz not null,
      read_at timestamptz,
      done_at timestamptz,
      actor_email text collate "C",
      subject_type text collate "C" not null,
      subject_id text collate "C" not null,
      action_id text collate "C",
      count int not null default 1,
      details jsonb not null default '{}',
      dedupe text collate "C" not null,
      mail text collate "C",
      constraint notifications_once unique (user_email, dedupe)
    )`.execute(db)
  await sql`create index notifications_by_user on notifications (user_email, at desc, id desc)`.execute(db)
  await sql`
    create index notifications_unread on notifications (user_email) where read_at is null and done_at is null`.execute(
    db,
  )
  await sql`create index notifications_by_subject on notifications (subject_id)`.execute(db)
  await sql`create index notifications_by_time on notifications (at)`.execute(db)
  await sql`create index notifications_to_mail on notifications (at) where mail is null`.execute(db)
  await noteEvents(db)
}

/** The streams of a user's browsers hear of new notifications, and of those that were read elsewhere. */
async function noteEvents(db: Kysely<unknown>): Promise<void> {
  for (const [event, tables, rows] of [
    ['insert', 'new table as changed', 'select user_email from changed'],
    [
      'update',
      'old table as former new table as changed',
      `select changed.user_email from changed join former using (id)
        where (changed.read_at, changed.done_at, changed.count)
          is distinct from (former.read_at, former.done_at, former.count)`,
    ],
  ] as const) {
    const name = sql.id(`note_notifications_event_${event}`)
    await sql`
      create function ${name}() returns trigger language plpgsql as $$
      begin
        insert into events (kind, records, readers)
          select 'notification', count(*), array[user_email] from (${sql.raw(rows)}) told group by user_email;
        return null;
      end $$`.execute(db)
    await sql`
      create trigger ${name} after ${sql.raw(event)} on notifications referencing ${sql.raw(tables)}
      for each statement execute function ${name}()`.execute(db)
  }
}
