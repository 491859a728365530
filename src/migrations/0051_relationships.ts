import { type Kysely, sql } from 'kysely'

/**
 * Contacts: team-visible calls, meetings, and emails, with each record that they are linked to. Triggers derive them from notes
 * and links. A note and its links are changed under the lock of the note, so no change is missed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table contacts (
      target_id text collate "C" not null,
      note_id text collate "C" not null,
      happened_at timestamptz not null,
      kind text collate "C" not null,
      author_email text collate "C",
      primary key (note_id, target_id)
    )`.execute(db)
  // A page of a list reads the index alone.
  await sql`
    create index contacts_by_target on contacts (target_id, happened_at desc, note_id desc) include (kind, author_email)`.execute(
    db,
  )
  await sql`
    create function update_contacts(ids text[]) returns void language plpgsql as $$
    begin
      perform from notes where id = any(ids) order by id for no key update;
      delete from contacts where note_id = any(ids);
      insert into contacts (target_id, note_id, happened_at, kind, author_email)
        select distinct links.target_id, notes.id, notes.happened_at, notes.kind, notes.author_email
        from notes join links on links.record_id = notes.id
        where notes.id = any(ids) and notes.kind in ('call', 'meeting', 'email') and notes.visibility = 'team'
          and notes.parent_id is null and links.target_type <> 'thesis'
        on conflict (note_id, target_id) do update set happened_at = excluded.happened_at, kind = excluded.kind,
          author_email = excluded.author_email;
    end $$`.execute(db)
  for (const event of ['insert', 'update', 'delete'] as const) {
    await updateContacts(db, 'notes', 'id', event)
    await updateContacts(db, 'links', 'record_id', event)
  }
  await createViews(db)
  await sql`
    select update_contacts(array(select id from notes where kind in ('call', 'meeting', 'email')))`.execute(
    db,
  )
}

/** Derives the contacts again of the notes that a statement has changed. */
async function updateContacts(
  db: Kysely<unknown>,
  table: 'notes' | 'links',
  id: 'id' | 'record_id',
  event: 'insert' | 'update' | 'delete',
): Promise<void> {
  const name = sql.id(`update_contacts_on_${table}_${event}`)
  await sql`
    create function ${name}() returns trigger language plpgsql as $$
    begin
      perform update_contacts(array(select distinct ${sql.id(id)} from changed));
      return null;
    end $$`.execute(db)
  await sql`
    create trigger ${name} after ${sql.raw(event)} on ${sql.id(table)}
    referencing ${sql.raw(event === 'delete' ? 'old' : 'new')} table as changed
    for each statement execute function ${name}()`.execute(db)
}

/** Views, because a contact also stops counting without a change: when its company goes to the trash, or when a link ends. */
async function createViews(db: Kysely<unknown>): Promise<void> {
  // All that a note is about may be in the trash.
  await sql`
    create view listed_contacts as select * from contacts
      where not exists (select from unlisted_records where unlisted_records.id = note_id)`.execute(db)
  // Those with itself, its deals, and its present people, so a note can appear several times.
  await sql`
    create view company_contacts as
      select target_id as company_id, null::text collate "C" as person_id, note_id, happened_at, kind, author_email
        from listed_contacts
      union all
      select dealflow.company_id, null, note_id, happened_at, kind, author_email
        from dealflow join listed_contacts on target_id = dealflow.id
      union all
      select company_people.company_id, person_id, note_id, happened_at, kind, author_email
        from company_people join people on people.id = person_id join listed_contacts on target_id = person_id
        where coalesce(until_on >= (now() at time zone 'UTC')::date, true)`.execute(db)
}
