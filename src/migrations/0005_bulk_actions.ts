import { type Kysely, sql } from 'kysely'

/** Bulk actions and the state of each of their companies. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table bulk_actions (
      id text collate "C" primary key,
      action_type text not null,
      status text not null,
      priority int not null,
      total_companies int not null,
      processed_companies int not null default 0,
      failed_companies int not null default 0,
      error_summary json not null default '{}',
      user_email text,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      completed_at timestamptz,
      constraint bulk_action_counters_fit check (
        processed_companies >= 0 and failed_companies >= 0
        and processed_companies + failed_companies <= total_companies)
    )`.execute(db)
  await sql`create index bulk_actions_by_user on bulk_actions (user_email, id desc)`.execute(db)
  await sql`
    create table bulk_action_companies (
      bulk_action_id text collate "C" not null references bulk_actions (id) on delete cascade,
      company_id text collate "C" not null references companies (id) on delete cascade,
      state text not null default 'pending' check (state in ('pending', 'processed', 'failed')),
      attempts int not null default 0,
      error_kind text,
      error text,
      primary key (bulk_action_id, company_id)
    )`.execute(db)
  await sql`
    create index bulk_action_companies_by_state on bulk_action_companies (bulk_action_id, state, company_id)`.execute(
    db,
  )
}
