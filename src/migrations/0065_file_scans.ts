import { type Kysely, sql } from 'kysely'

/**
 * When versions of files are scanned for viruses: those that wait, and readable ones for which an administrator has asked. New
 * states of versions are events: no activity record tells open pages that a scan has ended, or a text has been read.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table file_versions
      add column next_scan_at timestamptz,
      add column scan_attempts int not null default 0`.execute(db)
  await sql`drop index file_versions_to_scan`.execute(db)
  await sql`
    create index file_versions_to_scan on file_versions ((scan_state = 'pending'), uploaded_at)
    where scan_state = 'pending' or next_scan_at is not null`.execute(db)
  await sql`
    create function note_file_state() returns trigger language plpgsql as $$
    begin
      insert into events (kind, record_id, records, readers)
        select 'file', new.file_id, 1, (select readers from private_records where id = new.file_id);
      return null;
    end $$`.execute(db)
  await sql`
    create trigger note_file_state after update on file_versions for each row
    when (old.scan_state is distinct from new.scan_state or old.scan_detail is distinct from new.scan_detail
      or old.text_state is distinct from new.text_state)
    execute function note_file_state()`.execute(db)
}
