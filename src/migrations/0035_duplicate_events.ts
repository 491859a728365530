import { type Kysely, sql } from 'kysely'

/** Possible duplicates that are found, dismissed, reopened, or gone are events, one for each statement. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function note_duplicates_event() returns trigger language plpgsql as $$
    begin
      insert into change_events (kind, record_id, records)
        select 'duplicate', case when count(*) = 1 then min(id) end, count(*) from changed having count(*) > 0;
      return null;
    end $$`.execute(db)
  for (const event of ['insert', 'update', 'delete'])
    await sql`
      create trigger ${sql.id(`note_duplicates_event_${event}`)} after ${sql.raw(event)} on duplicates
      referencing ${sql.raw(event === 'delete' ? 'old' : 'new')} table as changed
      for each statement execute function note_duplicates_event()`.execute(db)
}
