import { sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'

const KEPT_DAYS = 90
const BATCH_SIZE = 10_000

/** Deletes notifications after 90 days. */
export async function deleteOldNotifications(db: Db): Promise<void> {
  for (let deleted = BATCH_SIZE; deleted === BATCH_SIZE; ) {
    const { numAffectedRows = 0n } = await sql`
      delete from notifications where id in (
        select id from notifications where at < now() - make_interval(days => ${KEPT_DAYS}) limit ${BATCH_SIZE})`.execute(
      db,
    )
    deleted = Number(numAffectedRows)
  }
}

/** Deletes notifications about records that are purged. */
export async function removeNotificationsAbout(transaction: Db, ids: readonly string[]): Promise<void> {
  await sql`
    delete from notifications where id in (
      select id from notifications where subject_id = any(${[...ids]}) order by id for update)`.execute(
    transaction,
  )
}

/** Deletes what a user was told, and how they wanted to be told. */
export async function removeNotificationsOf(db: Db, email: string): Promise<void> {
  await sql`delete from notifications where user_email = ${email}`.execute(db)
  await sql`delete from notification_settings where user_email = ${email}`.execute(db)
  await sql`delete from unsubscribe_tokens where user_email = ${email}`.execute(db)
}
