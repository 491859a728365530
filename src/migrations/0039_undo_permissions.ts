import { type Kysely, sql } from 'kysely'

/** Whether an undo may delete records that others have built on. It holds for undos that are continued after a restart. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table undos add column may_delete boolean not null default true`.execute(db)
}
