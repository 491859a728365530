import { type Kysely, sql } from 'kysely'

/**
 * The oldest migration that a version of the service must know to work with the schema. A migration that earlier versions
 * cannot work with sets it to its own name. Without that, the previous release goes on serving beside the new one.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table schema_requirements (
      is_only boolean primary key default true check (is_only),
      oldest_migration text not null
    )`.execute(db)
  await sql`insert into schema_requirements (oldest_migration) values ('0060_schema_requirements')`.execute(
    db,
  )
}
