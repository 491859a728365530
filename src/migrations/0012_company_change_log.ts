import { type Kysely, sql } from 'kysely'

const COLUMNS = sql.raw('status, country_code, industry_category, thesis_id')

/** The rows of a statement that count for and against each combination of the counted columns. */
const CHANGES = {
  insert: { counted: 'select *, 1 as difference from added', logged: 'added' },
  update: {
    counted: 'select *, 1 as difference from added union all select *, -1 from removed',
    logged: 'added',
  },
  delete: { counted: 'select *, -1 as difference from removed', logged: 'removed' },
}

/**
 * Logs which companies each transaction has changed, so that cached lists can follow. The triggers of the counters write
 * the log too. Processes of the version before do not read it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Waits for transactions that would commit a change without an entry in the log.
  await sql`lock table companies in share row exclusive mode`.execute(db)
  await sql`create table company_change_log (xid xid8 not null, id text collate "C" not null)`.execute(db)
  await sql`create index company_change_log_by_xid on company_change_log (xid)`.execute(db)
  // What happened before this entry is not in the log.
  await sql`insert into company_change_log values (pg_current_xact_id(), '')`.execute(db)
  for (const [event, { counted, logged }] of Object.entries(CHANGES))
    await sql`
      create or replace function ${sql.id(`note_company_${event}`)}() returns trigger language plpgsql as $$
      begin
        insert into company_count_deltas (${COLUMNS}, n)
          select ${COLUMNS}, sum(difference) from (${sql.raw(counted)}) changed group by ${COLUMNS};
        insert into company_change_log select pg_current_xact_id(), id from ${sql.raw(logged)};
        return null;
      end $$`.execute(db)
}
