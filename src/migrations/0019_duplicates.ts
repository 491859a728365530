import { type Kysely, sql } from 'kysely'

/**
 * Possible duplicates. `company_identities` has what two companies are compared by, `companies_to_compare` the companies
 * that have changed since they were last compared. Triggers record the change in the writer's own statement.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTables(db)
  await createLookup(db)
  await noteChanges(db)
}

async function createTables(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table company_identities (
      company_id text collate "C" primary key,
      domain text collate "C",
      name text collate "C" not null,
      country text collate "C",
      name_start text collate "C",
      name_end text collate "C",
      name_edges text collate "C"
    )`.execute(db)
  for (const column of ['domain', 'name_start', 'name_end', 'name_edges'])
    await sql`
      create index ${sql.id(`company_identities_by_${column}`)} on company_identities (${sql.id(column)})
      where ${sql.id(column)} is not null`.execute(db)
  await sql`
    create table duplicates (
      id text collate "C" primary key,
      older_id text collate "C" not null,
      newer_id text collate "C" not null,
      score double precision not null,
      reasons text[] not null,
      found_at timestamptz not null default now(),
      dismissed_at timestamptz,
      dismissed_by text
    )`.execute(db)
  await sql`create index duplicates_by_older on duplicates (older_id)`.execute(db)
  await sql`create index duplicates_by_newer on duplicates (newer_id)`.execute(db)
  await sql`create index duplicates_open on duplicates (score desc, id) where dismissed_at is null`.execute(
    db,
  )
  await sql`create sequence company_identity_changes`.execute(db)
  await sql`
    create table companies_to_compare (
      company_id text collate "C" primary key,
      change bigint not null default nextval('company_identity_changes')
    )`.execute(db)
  // The companies that exist are compared by the first scan.
  await sql`
    create table duplicate_scan (rules text not null, last_id text collate "C" not null, finished_at timestamptz)`.execute(
    db,
  )
}

/** Looks up a domain, and two values of each key, because a typo may have changed the length of a name. */
async function createLookup(db: Kysely<unknown>): Promise<void> {
  const found = sql`select company_id, domain, name, country from company_identities`
  const byKey = ['start', 'end', 'edges'].map(
    (key) => sql`
      (${found} where ${sql.id(`name_${key}`)} in (${sql.id(`${key}_1`)}, ${sql.id(`${key}_2`)})
        and company_id <> subject and (own_country is null or country is null or country = own_country)
      limit max_per_key)`,
  )
  await sql`
    create function duplicate_candidates(subject text, own_domain text, own_country text, start_1 text, start_2 text,
      end_1 text, end_2 text, edges_1 text, edges_2 text, max_per_domain int, max_per_key int)
    returns table (company_id text, domain text, name text, country text) language sql stable as $$
      (${found} where domain = own_domain and company_id <> subject limit max_per_domain)
      union all ${sql.join(byKey, sql` union all `)} $$`.execute(db)
}

async function noteChanges(db: Kysely<unknown>): Promise<void> {
  const note = (ids: string) =>
    sql.raw(`insert into companies_to_compare (company_id) ${ids}
      on conflict (company_id) do update set change = excluded.change;`)
  const statements = [
    { on: 'insert on companies', rows: 'new', ids: 'select id from changed order by id' },
    { on: 'delete on companies', rows: 'old', ids: 'select id from changed order by id' },
    // A purged company has left `companies` before.
    {
      on: 'delete on trash',
      rows: 'old',
      ids: "select id from changed where entity_type = 'company' order by id",
    },
  ]
  for (const { on, rows, ids } of statements) {
    const name = sql.id(`note_identity_${on.replaceAll(' ', '_')}`)
    await sql`
      create function ${name}() returns trigger language plpgsql as $$ begin ${note(ids)} return null; end $$`.execute(
      db,
    )
    await sql`
      create trigger ${name} after ${sql.raw(on)} referencing ${sql.raw(rows)} table as changed
      for each statement execute function ${name}()`.execute(db)
  }
  // The condition costs a change of another field almost nothing.
  const fields = (row: string) =>
    ['name', 'website', 'country', 'country_code'].map((field) => `${row}.${field}`)
  await sql`
    create function note_identity_update_on_companies() returns trigger language plpgsql as
    $$ begin ${note('values (new.id)')} return null; end $$`.execute(db)
  await sql`
    create trigger note_identity_update_on_companies after update on companies for each row
    when ((${sql.raw(fields('old').join())}) is distinct from (${sql.raw(fields('new').join())}))
    execute function note_identity_update_on_companies()`.execute(db)
}
