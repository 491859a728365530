import { type Kysely, sql } from 'kysely'

/**
 * Criteria of theses, verdicts on their matches, and when each user last looked at them. Verdicts outlive a company or
 * thesis in the trash, so they have no foreign keys.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table theses add column criteria json`.execute(db)
  await sql`
    create table thesis_verdicts (
      thesis_id text collate "C" not null,
      company_id text collate "C" not null,
      verdict text not null,
      user_email text,
      updated_at timestamptz not null default clock_timestamp(),
      primary key (thesis_id, company_id)
    )`.execute(db)
  await sql`create index thesis_verdicts_by_company on thesis_verdicts (company_id)`.execute(db)
  await sql`
    create table thesis_views (
      thesis_id text collate "C" not null,
      user_email text not null,
      seen_at timestamptz not null,
      primary key (thesis_id, user_email)
    )`.execute(db)
}
