import { type Kysely, sql } from 'kysely'

/** The rows of a statement that count for and against each tag. */
const CHANGES = {
  insert: { counted: 'select *, 1 as difference from added', logged: 'added' },
  update: {
    counted: 'select *, 1 as difference from added union all select *, -1 from removed',
    logged: 'added',
  },
  delete: { counted: 'select *, -1 as difference from removed', logged: 'removed' },
}

const COLUMNS = sql.raw('status, country_code, industry_category, thesis_id')

/** Tags of companies, with a counter for each tag, and owners of companies and deals. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table companies add column tags text[] collate "C" not null default '{}',
      add column owner_email text collate "C"`.execute(db)
  await sql`alter table dealflow add column owner_email text collate "C"`.execute(db)
  // Partial indexes: companies without tags or owner, which are all of them now, cost nothing.
  await sql`
    create index companies_by_tags on companies using gin (tags) with (gin_pending_list_limit = 256)
    where tags <> '{}'`.execute(db)
  await sql`
    create index companies_by_owner on companies (owner_email, id) where owner_email is not null`.execute(db)
  await sql`create index dealflow_by_owner on dealflow (owner_email, id) where owner_email is not null`.execute(
    db,
  )
  await createTagCounter(db)
}

/** The tag null counts the companies without tags. */
async function createTagCounter(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table company_tag_counts (tag text collate "C", n bigint not null, unique nulls not distinct (tag))`.execute(
    db,
  )
  await sql`create table company_tag_count_deltas (tag text collate "C", n bigint not null)`.execute(db)
  await sql`
    insert into company_tag_count_deltas select null, coalesce(sum(n), 0) from (
      select n from company_counts union all select n from company_count_deltas) counts`.execute(db)
  for (const [event, { counted, logged }] of Object.entries(CHANGES))
    await sql`
      create or replace function ${sql.id(`note_company_${event}`)}() returns trigger language plpgsql as $$
      begin
        insert into company_count_deltas (${COLUMNS}, n)
          select ${COLUMNS}, sum(difference) from (${sql.raw(counted)}) changed group by ${COLUMNS};
        insert into company_tag_count_deltas (tag, n)
          select tag, sum(difference) from (${sql.raw(counted)}) changed left join lateral unnest(tags) tag on true
          group by tag having sum(difference) <> 0;
        insert into company_change_log select pg_current_xact_id(), id from ${sql.raw(logged)};
        return null;
      end $$`.execute(db)
}
