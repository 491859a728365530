import { type Kysely, sql } from 'kysely'

/**
 * Embedding models, and the documents that need a vector. All models in use are kept up to date, so that one can
 * answer while another is prepared. A null `due_at` means that embedding failed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table embedding_models (
      key text collate "C" primary key,
      name text not null,
      dimensions int,
      length int,
      state text not null default 'filling' check (state in ('filling', 'complete', 'former')),
      fault text,
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`
    create table embeddings_due (
      model text collate "C" not null references embedding_models (key) on delete cascade,
      id text collate "C" not null,
      change bigint not null,
      due_at timestamptz not null,
      reason text,
      primary key (model, id)
    )`.execute(db)
  await sql`create index embeddings_due_by_time on embeddings_due (model, due_at)`.execute(db)
}
