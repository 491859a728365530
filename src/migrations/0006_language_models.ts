import { type Kysely, sql } from 'kysely'

/** Options, token usage and waiting state of bulk actions that use a language model. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table bulk_actions
      add column thesis_id text collate "C",
      add column force boolean not null default false,
      add column token_budget bigint,
      add column model_calls bigint not null default 0,
      add column input_tokens bigint not null default 0,
      add column output_tokens bigint not null default 0,
      add column waiting_for text,
      add constraint bulk_action_thesis_exists foreign key (thesis_id) references theses (id) on delete set null`.execute(
    db,
  )
}
