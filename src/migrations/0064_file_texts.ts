import { type Kysely, sql } from 'kysely'

/**
 * The text of files, page by page, of the version that is shown alone. Long pages are stored outside of their rows: a search
 * for a common word reads most rows, but not their texts.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table file_pages (
      file_id text collate "C" not null,
      version int not null,
      page int not null,
      text text not null,
      search_words tsvector not null generated always as (search_words(text)) stored,
      primary key (file_id, version, page),
      foreign key (file_id, version) references file_versions on delete cascade
    ) with (toast_tuple_target = 128)`.execute(db)
  await sql`create index file_pages_by_words on file_pages using gin (search_words)`.execute(db)
  await sql`create index files_by_words on files using gin (search_words(name))`.execute(db)
  // How often reading was begun. It counts the times that a file ended the process.
  await sql`
    alter table file_versions add column text_attempts int not null default 0,
      add column text_claimed_at timestamptz`.execute(db)
}
