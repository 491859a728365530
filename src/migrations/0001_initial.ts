import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await createTextSearch(db)
  await createTables(db)
  await createIndexes(db)
  await createCounters(db)
}

/**
 * Folds case and accents for search and sorting. `unaccent` is only declared stable because its dictionary can be
 * edited.
 */
async function createTextSearch(db: Kysely<unknown>): Promise<void> {
  await sql`create extension if not exists pg_trgm`.execute(db)
  await sql`create extension if not exists unaccent`.execute(db)
  const { rows } = await sql<{ schema: string }>`
    select nspname as schema from pg_extension join pg_namespace n on n.oid = extnamespace
    where extname = 'unaccent'`.execute(db)
  const unaccent = sql.id(rows[0]?.schema ?? 'public', 'unaccent')
  const dictionary = sql.lit(`"${rows[0]?.schema}".unaccent`)
  await sql`
    create function fold_text(value text) returns text language sql immutable strict parallel safe
    return lower(${unaccent}(${dictionary}::regdictionary, value))`.execute(db)
  await sql`
    create function contains_pattern(value text) returns text language sql immutable strict parallel safe
    return '%' || replace(replace(replace(fold_text(value), '\\', '\\\\'), '%', '\\%'), '_', '\\_') || '%'
  `.execute(db)
}

async function createTables(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table theses (
      id text collate "C" primary key,
      code text not null constraint theses_code_unique unique,
      title text not null,
      summary text,
      report_markdown text,
      status text not null,
      created_at timestamptz not null,
      updated_at timestamptz not null
    )`.execute(db)
  await sql`
    create table companies (
      id text collate "C" primary key,
      name text not null,
      country text,
      country_code text collate "C",
      hq_city text,
      industry_category text,
      activity_description text,
      status text not null,
      thesis_id text collate "C" constraint companies_thesis_exists references theses,
      website text,
      founded_year integer,
      employee_count integer,
      revenue_eur double precision,
      llm_score_overall integer,
      llm_score_details json,
      executives json,
      financials json,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      match_key text collate "C" not null,
      name_sort text not null generated always as (left(fold_text(name), 200)) stored,
      search_text text not null generated always as
        (fold_text(name || E'\n' || coalesce(activity_description, ''))) stored
    )`.execute(db)
  await sql`
    create table dealflow (
      id text collate "C" primary key,
      company_id text collate "C" not null constraint dealflow_company_exists references companies,
      stage text not null,
      probability integer,
      notes text,
      status text not null,
      created_at timestamptz not null,
      updated_at timestamptz not null
    )`.execute(db)
  await sql`
    create table activity (
      id text collate "C" primary key,
      activity_type text not null,
      entity_type text not null,
      entity_id text collate "C" not null,
      company_id text collate "C",
      user_email text,
      "timestamp" timestamptz not null,
      metadata json not null
    )`.execute(db)
  await sql`
    create table users (
      email text primary key,
      name text,
      role text not null,
      preferences json not null,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    )`.execute(db)
}

async function createIndexes(db: Kysely<unknown>): Promise<void> {
  const indexes = {
    companies_by_status: 'companies (status, id)',
    companies_by_country_code: 'companies (country_code, id)',
    companies_by_industry_category: 'companies (industry_category, id)',
    companies_by_thesis: 'companies (thesis_id, id)',
    companies_by_name: 'companies (name_sort, id)',
    companies_by_updated_at: 'companies (updated_at, id)',
    companies_by_llm_score_overall: 'companies (llm_score_overall desc nulls last, id desc)',
    companies_by_revenue_eur: 'companies (revenue_eur desc nulls last, id desc)',
    companies_by_employee_count: 'companies (employee_count desc nulls last, id desc)',
    companies_by_founded_year: 'companies (founded_year desc nulls last, id desc)',
    companies_by_match_key: 'companies (match_key)',
    companies_by_search_text: 'companies using gin (search_text gin_trgm_ops)',
    dealflow_by_company: 'dealflow (company_id, id)',
    dealflow_by_stage: 'dealflow (stage, id)',
    dealflow_by_status: 'dealflow (status, id)',
    activity_by_entity: 'activity (entity_id, id)',
    activity_by_company: 'activity (company_id, id)',
    activity_by_user_email: 'activity (user_email, id)',
    activity_by_entity_type: 'activity (entity_type, id)',
  }
  for (const [name, definition] of Object.entries(indexes))
    await sql`create index ${sql.id(name)} on ${sql.raw(definition)}`.execute(db)
}

/**
 * Exact totals without counting. Triggers insert each statement's deltas, per combination of the filterable columns,
 * as new rows, so that writers never wait for each other. `foldCounters` sums them up regularly.
 */
async function createCounters(db: Kysely<unknown>): Promise<void> {
  await createCounter(db, 'companies', 'company', [
    'status',
    'country_code',
    'industry_category',
    'thesis_id',
  ])
  await createCounter(db, 'activity', 'activity', ['entity_type', 'user_email'])
  await sql`create table company_changes (folded bigint not null)`.execute(db)
  await sql`insert into company_changes values (0)`.execute(db)
}

async function createCounter(
  db: Kysely<unknown>,
  table: string,
  name: string,
  columns: string[],
): Promise<void> {
  const list = sql.raw(columns.join(', '))
  const definitions = sql.raw(columns.map((column) => `${column} text collate "C"`).join(', '))
  const counts = sql.id(`${name}_counts`)
  const deltas = sql.id(`${name}_count_deltas`)
  await sql`create table ${counts} (${definitions}, n bigint not null, unique nulls not distinct (${list}))`.execute(
    db,
  )
  await sql`create table ${deltas} (${definitions}, n bigint not null)`.execute(db)

  const changes = {
    insert: { transitions: 'new table as added', rows: 'select *, 1 as difference from added' },
    update: {
      transitions: 'old table as removed new table as added',
      rows: 'select *, 1 as difference from added union all select *, -1 from removed',
    },
    delete: { transitions: 'old table as removed', rows: 'select *, -1 as difference from removed' },
  }
  for (const [event, { transitions, rows }] of Object.entries(changes)) {
    const note = sql.id(`note_${name}_${event}`)
    await sql`
      create function ${note}() returns trigger language plpgsql as $$
      begin
        insert into ${deltas} select ${list}, sum(difference) from (${sql.raw(rows)}) changed group by ${list};
        return null;
      end $$`.execute(db)
    await sql`
      create trigger ${note} after ${sql.raw(event)} on ${sql.id(table)}
      referencing ${sql.raw(transitions)} for each statement execute function ${note}()`.execute(db)
  }
}
