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
  await createLinks(db)
  await createNotes(db)
}

async function createLinks(db: Kysely<unknown>): Promise<void> {
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
  // The records whose every `about` is in the trash. Lists leave them out.
  await sql`create table unlisted_records (id text collate "C" primary key)`.execute(db)
  // The lock makes two transactions wait for each other that delete the last two records that a note is about.
  await sql`
    create function update_unlisted_records(ids text[]) returns void language plpgsql as $$
    begin
      perform from links where record_id = any(ids) order by record_id, relation, target_id for update;
      delete from unlisted_records where id = any(ids);
      insert into unlisted_records
        select record_id from links where record_id = any(ids) and relation = 'about' group by record_id
        having bool_and(exists (select from trash where trash.id = target_id))
        on conflict do nothing;
    end $$`.execute(db)
  for (const event of ['insert', 'delete'] as const) {
    await updateUnlisted(
      db,
      'trash',
      event,
      sql`
      select record_id from links where relation = 'about' and target_id in (select id from changed)`,
    )
    await updateUnlisted(db, 'links', event, sql`select record_id from changed where relation = 'about'`)
  }
}

/** @param ids the records that a statement may have hidden, or that it may have brought back */
async function updateUnlisted(
  db: Kysely<unknown>,
  table: 'trash' | 'links',
  event: 'insert' | 'delete',
  ids: ReturnType<typeof sql>,
): Promise<void> {
  const name = sql.id(`update_unlisted_on_${table}_${event}`)
  await sql`
    create function ${name}() returns trigger language plpgsql as $$
    declare ids text[] := array(select distinct record_id from (${ids}) linked);
    begin
      if ids <> '{}' then perform update_unlisted_records(ids); end if;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger ${name} after ${sql.raw(event)} on ${sql.id(table)}
    referencing ${sql.raw(event === 'delete' ? 'old' : 'new')} table as changed
    for each statement execute function ${name}()`.execute(db)
}

async function createNotes(db: Kysely<unknown>): Promise<void> {
  // Letters and digits, each word once. Without this, an address such as ada@example.com would be one word.
  await sql`
    create function plain_words(value text) returns text language sql immutable strict parallel safe
    return regexp_replace(value, ${sql.lit('[\\x01-\\x2f\\x3a-\\x40\\x5b-\\x60\\x7b-\\x7f]+')}, ' ', 'g')`.execute(
    db,
  )
  await sql`
    create function search_words(value text) returns tsvector language sql immutable strict parallel safe
    return strip(to_tsvector('simple'::regconfig, plain_words(fold_text(value)) || ' '
      || coalesce(plain_words(spelled_out_text(value)), '')))`.execute(db)
  // Null if the text has no word. A longer word is an error.
  await sql`
    create function search_query(value text) returns tsquery language sql immutable strict parallel safe
    begin atomic
      select to_tsquery('simple'::regconfig, string_agg('''' || left(word, 500) || ''':*', ' & '))
      from regexp_split_to_table(plain_words(fold_text(value)), ' ') as word where word <> '';
    end`.execute(db)
  await createNoteName(db)
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
        search_words(coalesce(title, '') || E'\n' || body)) stored
    )`.execute(db)
  // Counting reads the index alone.
  await sql`
    create index notes_by_time on notes (happened_at desc, id desc) include (parent_id) where parent_id is null`.execute(
    db,
  )
  await sql`create index notes_by_author on notes (author_email, id) where author_email is not null`.execute(
    db,
  )
  await sql`create index notes_by_parent on notes (parent_id, id) where parent_id is not null`.execute(db)
  await sql`
    create index trash_by_note on trash ((content -> 'record' ->> 'parent_id')) where entity_type = 'note'`.execute(
    db,
  )
  await sql`create index notes_by_search_words on notes using gin (search_words)`.execute(db)
}

/** What is left out of the first line of a body, in this order, with what stays of it. */
const MARKDOWN: [pattern: string, kept: string][] = [
  ['^(?:\\d{1,3}[.)]\\s+)?(?:\\[[ xX]\\]\\s+)?', ''],
  ['!?\\[([^\\]]*)\\]\\([^)]*\\)', '\\1'],
  ['`|~~', ''],
  ['(?<![\\w*\\\\])[*_]+(?=\\S)|(?<=[^\\s\\\\])[*_]+(?!\\w)', ''],
  ['\\s+#+\\s*$', ''],
  ['\\\\([!-/:-@[-`{-~])', '\\1'],
]

/** A note's title, or the first line of its body as plain text. */
async function createNoteName(db: Kysely<unknown>): Promise<void> {
  const plainLine = MARKDOWN.reduce(
    (text, [pattern, kept]) => sql`regexp_replace(${text}, ${sql.lit(pattern)}, ${sql.lit(kept)}, 'g')`,
    sql`substring(regexp_replace(left(body, 2000), ${sql.lit('^\\s*(?:```|~~~)[^\\n]*$')}, '', 'gn')
      from ${sql.lit('[^\\s#>*+-][^\\n]*')})`,
  )
  await sql`
    create function note_name(title text, body text) returns text language sql immutable parallel safe
    return coalesce(title, (select case when length(line) > 100 then left(line, 99) || '…' else line end
      from coalesce(nullif(trim(${plainLine}), ''), trim(left(body, 100))) line))`.execute(db)
}
