import { type Kysely, sql } from 'kysely'

const COLUMNS = sql.raw('status, country_code, industry_category, thesis_id')

/**
 * Records which companies a statement has changed, next to the deltas of the counters, so that a cached list can be
 * brought up to date without reading the table again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table company_count_deltas add column ids text[] collate "C" not null default '{}'`.execute(
    db,
  )
  await sql`create table company_change_log (position bigint not null, ids text[] collate "C" not null)`.execute(
    db,
  )
  await sql`create index company_change_log_position on company_change_log (position)`.execute(db)
  const changes = {
    insert: 'select *, 1 as difference from added',
    update: 'select *, 1 as difference from added union all select *, -1 from removed',
    delete: 'select *, -1 as difference from removed',
  }
  for (const [event, rows] of Object.entries(changes))
    await sql`
      create or replace function ${sql.id(`note_company_${event}`)}() returns trigger language plpgsql as $$
      begin
        insert into company_count_deltas (${COLUMNS}, n, ids)
          select ${COLUMNS}, sum(difference), array_agg(distinct id) from (${sql.raw(rows)}) changed
          group by ${COLUMNS};
        return null;
      end $$`.execute(db)
}
