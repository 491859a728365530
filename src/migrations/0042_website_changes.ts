import { type Kysely, sql } from 'kysely'

/** The rows of a statement that count for and against each tag, and the websites that it has set. */
const CHANGES = {
  insert: {
    counted: 'select *, 1 as difference from added',
    websites: 'select website from added',
  },
  update: {
    counted: 'select *, 1 as difference from added union all select *, -1 from removed',
    websites: `select added.website from added join removed using (id)
      where added.website is distinct from removed.website`,
  },
  delete: { counted: 'select *, -1 as difference from removed', websites: undefined },
}

/** What a logo is found by, which has no user name, path, or query. */
const ORIGIN = `lower(substring(website from '(?i)^https?://[^/?#@\\s]{1,255}(?=[/?#]|$)'))`

const COLUMNS = sql.raw('status, country_code, industry_category, thesis_id')

/**
 * Replaces the log of changed companies, which only cached lists needed, by a queue of the websites whose logo has to be
 * found. Pages are not cached any more, so changes of logos are not counted either.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`lock table companies in share row exclusive mode`.execute(db)
  await sql`create table website_changes (origin text collate "C" not null)`.execute(db)
  for (const [event, { counted, websites }] of Object.entries(CHANGES))
    await sql`
      create or replace function ${sql.id(`note_company_${event}`)}() returns trigger language plpgsql as $$
      begin
        insert into company_count_deltas (${COLUMNS}, n)
          select ${COLUMNS}, sum(difference) from (${sql.raw(counted)}) changed group by ${COLUMNS};
        insert into company_tag_count_deltas (tag, n)
          select tag, sum(difference) from (${sql.raw(counted)}) changed left join lateral unnest(tags) tag on true
          group by tag having sum(difference) <> 0;
        ${sql.raw(websites ? `insert into website_changes select origin from (select ${ORIGIN} as origin from (${websites}) changed) origins where origin is not null;` : '')}
        return null;
      end $$`.execute(db)
  await sql`drop table company_change_log`.execute(db)
  await sql`drop trigger note_logo_change on logos`.execute(db)
  await sql`drop trigger note_removed_logos on logos`.execute(db)
  await sql`drop function note_logo_change()`.execute(db)
  await sql`drop function note_removed_logos()`.execute(db)
  await sql`alter table company_changes drop column logo_changes`.execute(db)
}
