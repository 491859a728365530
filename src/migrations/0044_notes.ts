import { type Kysely, sql } from 'kysely'

/**
 * Notes, what they are about, and who may see private records. A link stays while one of its ends is in the trash, and so
 * do the readers of a private record, so neither table has foreign keys.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table private_records (
      id text collate "C" primary key,
      readers text[] collate "C" not null
    )`.execute(db)
  await sql`
    create table links (
      record_id text collate "C" not null,
      relation text collate "C" not null,
      target_type text collate "C" not null,
      target_id text collate "C" not null,
      position int not null,
      primary key (record_id, relation, target_id)
    )`.execute(db)
  await sql`create index links_by_target on links (target_id, relation, record_id)`.execute(db)
  await sql`
    create table notes (
      id text collate "C" primary key,
      kind text collate "C" not null,
      title text,
      body text not null,
      happened_at timestamptz not null,
      mentions text[] collate "C" not null default '{}',
      pinned boolean not null default false,
      parent_id text collate "C",
      visibility text collate "C" not null default 'team',
      author_email text collate "C",
      source text,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      search_words tsvector not null generated always as (
        to_tsvector('simple', fold_text(coalesce(title, '') || E'\n' || body))) stored
    )`.execute(db)
  await sql`create index notes_by_time on notes (happened_at desc, id desc)`.execute(db)
  await sql`create index notes_by_author on notes (author_email, id) where author_email is not null`.execute(
    db,
  )
  await sql`create index notes_by_parent on notes (parent_id, id) where parent_id is not null`.execute(db)
  await sql`create index notes_by_search_words on notes using gin (search_words)`.execute(db)
}
