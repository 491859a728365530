import { type Kysely, sql } from 'kysely'

/**
 * People, and the companies that they are linked to. A link stays while its company or its person is in the trash, where
 * nothing shows it, so it has no foreign keys.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function person_search_text(name text, headline text, emails text[]) returns text
    language sql immutable parallel safe
    return fold_text(name || E'\n' || coalesce(headline, '') || E'\n' || array_to_string(emails, E'\n'))
      || E'\n' || coalesce(spelled_out_text(name || E'\n' || coalesce(headline, '')), '')`.execute(db)
  await sql`
    create function phone_text(phones text[]) returns text language sql immutable parallel safe
    return array_to_string(phones, ' ')`.execute(db)
  await sql`
    create table people (
      id text collate "C" primary key,
      name text not null,
      emails text[] collate "C" not null default '{}',
      phones text[] collate "C" not null default '{}',
      links text[] collate "C" not null default '{}',
      headline text,
      location text,
      tags text[] collate "C" not null default '{}',
      owner_email text collate "C",
      custom jsonb not null default '{}',
      created_at timestamptz not null,
      updated_at timestamptz not null,
      name_sort text not null generated always as (left(fold_text(name), 200)) stored,
      search_text text not null generated always as (person_search_text(name, headline, emails)) stored
    )`.execute(db)
  await sql`create index people_by_name on people (name_sort, id)`.execute(db)
  await sql`create index people_by_search_text on people using gin (search_text gin_trgm_ops)`.execute(db)
  await sql`create index people_by_phones on people using gin (phone_text(phones) gin_trgm_ops)`.execute(db)
  await sql`create index people_by_emails on people using gin (emails)`.execute(db)
  await sql`create index people_by_owner on people (owner_email, id) where owner_email is not null`.execute(
    db,
  )
  await sql`
    create table company_people (
      person_id text collate "C" not null,
      company_id text collate "C" not null,
      role text,
      from_on date,
      until_on date,
      is_primary boolean not null default false,
      primary key (person_id, company_id)
    )`.execute(db)
  await sql`create index company_people_by_company on company_people (company_id, person_id)`.execute(db)
  await sql`create unique index company_people_primary on company_people (person_id) where is_primary`.execute(
    db,
  )
}
