import { type Kysely, sql } from 'kysely'

/** Who or what brought a deal. Records in the trash and gone ones stay the source, so there is no foreign key. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table dealflow add column source_type text collate "C", add column source_id text collate "C",
      add constraint dealflow_source_is_complete check ((source_type is null) = (source_id is null))`.execute(
    db,
  )
  await sql`create index dealflow_by_source on dealflow (source_id, id) where source_id is not null`.execute(
    db,
  )
}
