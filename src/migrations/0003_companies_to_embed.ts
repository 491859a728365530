import { type Kysely, sql } from 'kysely'

/**
 * Companies whose text has changed since it was last indexed for semantic search. Triggers record the change in the
 * writer's own statement, so no code path can forget it and both are committed or neither.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create sequence company_text_changes`.execute(db)
  await sql`
    create table companies_to_embed (
      company_id text collate "C" primary key,
      change bigint not null default nextval('company_text_changes')
    )`.execute(db)
  await sql`create index companies_to_embed_by_change on companies_to_embed (change)`.execute(db)
  await sql`insert into companies_to_embed (company_id) select id from companies`.execute(db)

  const texts = sql.raw('name, industry_category, activity_description, hq_city, country')
  const rows = {
    insert: sql`select id from changed`,
    update: sql`select id from (select id, ${texts} from changed except select id, ${texts} from former) texts`,
  }
  for (const [event, ids] of Object.entries(rows)) {
    const note = sql.id(`note_company_text_${event}`)
    await sql`
      create function ${note}() returns trigger language plpgsql as $$
      begin
        insert into companies_to_embed (company_id) ${ids} order by id
        on conflict (company_id) do update set change = excluded.change;
        return null;
      end $$`.execute(db)
    await sql`
      create trigger ${note} after ${sql.raw(event)} on companies
      referencing new table as changed ${sql.raw(event === 'update' ? 'old table as former' : '')}
      for each statement execute function ${note}()`.execute(db)
  }
}
