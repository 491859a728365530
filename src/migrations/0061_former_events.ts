import { type Kysely, sql } from 'kysely'

/**
 * The release before the outbox reads the log of changes by its former name, so that its event streams go on while processes
 * are replaced one by one. It keeps fewer entries than the outbox needs: what it removes stays.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create view change_events as
    select xid, kind, record_id, records, action_id, at, readers from events`.execute(db)
  await sql`
    create function keep_event() returns trigger language plpgsql as $$
    begin
      return null;
    end $$`.execute(db)
  await sql`
    create trigger keep_event instead of delete on change_events for each row execute function keep_event()`.execute(
    db,
  )
}
