import { type Kysely, sql } from 'kysely'

/** Finds people by tag. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index people_by_tags on people using gin (tags)`.execute(db)
}
