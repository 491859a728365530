import { type Kysely, sql } from 'kysely'

/** Finds people by tag, and by name, whatever the order of its words. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index people_by_tags on people using gin (tags)`.execute(db)
  // Apostrophes are left out, and other punctuation separates words.
  await sql`
    create function person_name_key(name text) returns text
    language sql immutable parallel safe
    return array_to_string(array(
      select word from regexp_split_to_table(
        translate(fold_text(name), $$'’´\`$$, ''), '[[:space:],.;:()"/-]+') word
      where word <> '' order by word collate "C"), ' ')`.execute(db)
  await sql`
    alter table people add column name_key text not null
      generated always as (left(person_name_key(name), 200)) stored`.execute(db)
  await sql`create index people_by_name_key on people (name_key)`.execute(db)
}
