import { type Kysely, sql } from 'kysely'

/** The icons of websites, as PNG. Background work finds the websites, so that writing a company costs nothing. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table logos (
      origin text collate "C" primary key,
      png bytea,
      version text,
      failures int not null default 0,
      due_at timestamptz not null default '-infinity',
      seen_at timestamptz not null default clock_timestamp()
    )`.execute(db)
  // The PNG is compressed already.
  await sql`alter table logos alter column png set storage external`.execute(db)
  await sql`create index logos_by_due_at on logos (due_at, origin)`.execute(db)
}
