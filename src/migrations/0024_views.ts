import { type Kysely, sql } from 'kysely'

/** Saved views, what each user has set for them, and what each user has seen in them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table views (
      id text collate "C" primary key,
      entity text not null,
      name text not null,
      owner_email text collate "C" not null,
      visibility text not null,
      content json not null,
      created_at timestamptz not null,
      updated_at timestamptz not null
    )`.execute(db)
  await sql`create index views_by_owner on views (owner_email)`.execute(db)
  await sql`
    create table view_settings (
      user_email text collate "C" not null,
      entity text not null,
      default_view_id text collate "C",
      view_ids text[] collate "C" not null default '{}',
      primary key (user_email, entity)
    )`.execute(db)
  await sql`
    create table view_looks (
      view_id text collate "C" not null references views on delete cascade,
      user_email text collate "C" not null,
      seen_at timestamptz not null,
      ids text[] collate "C",
      primary key (view_id, user_email)
    )`.execute(db)
}
