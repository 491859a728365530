import { type Kysely, sql } from 'kysely'

/** Custom fields: their definitions, and a column for their values. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['companies', 'dealflow'])
    await sql`alter table ${sql.id(table)} add column custom jsonb not null default '{}'`.execute(db)
  await sql`
    create table fields (
      id text collate "C" primary key,
      entity text not null,
      key text collate "C" not null,
      label text not null,
      type text not null,
      options json not null,
      currency text,
      required boolean not null,
      archived_at timestamptz,
      deleted_at timestamptz,
      removed_options text[] not null default '{}',
      created_at timestamptz not null,
      updated_at timestamptz not null,
      constraint fields_key_unique unique (entity, key)
    )`.execute(db)
  // Changes with every definition. Who writes values locks it, so that the definitions they follow stay as they are.
  await sql`create table field_version (version uuid not null)`.execute(db)
  await sql`insert into field_version values (gen_random_uuid())`.execute(db)
}
