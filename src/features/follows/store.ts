import { sql } from 'kysely'
import { orTrashed } from '#src/features/trash/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { rowsFrom } from '#src/platform/database/rows.ts'
import type { Follow, FollowedType, FollowReason } from './schema.ts'

const TABLES = { company: 'companies', deal: 'dealflow', person: 'people', thesis: 'theses' } as const

/**
 * Whether a user follows a record, and who else does.
 * @param email null: unknown, who follows nothing
 * @throws NotFound if there is no such record, Moved if it is part of another one
 */
export async function readFollow(
  db: Db,
  email: string | null,
  type: FollowedType,
  id: string,
): Promise<Follow> {
  const { rows } = await sql<{ user_email: string; reason: FollowReason }>`
    select user_email, reason from record_followers
    where entity_id = ${id} and exists (
      select from users where users.email = user_email collate "default" and disabled_at is null)
    order by user_email, reason = 'owner' desc`.execute(db)
  await requireRecord(db, type, id)
  const own = rows.find(({ user_email }) => user_email === email)
  return {
    following: own !== undefined,
    reason: own?.reason ?? null,
    followers: [...new Set(rows.map(({ user_email }) => user_email))],
  }
}

/**
 * Stores whether a user follows a record.
 * @throws NotFound if there is no such record, Moved if it is part of another one
 */
export const setFollow = (
  db: Db,
  email: string,
  type: FollowedType,
  id: string,
  is_following: boolean,
): Promise<Follow> =>
  db.transaction().execute(async (transaction) => {
    // A purge deletes the row afterward.
    await requireRecord(transaction, type, id, sql`for key share`)
    await sql`
      insert into follows as stored (user_email, entity_type, entity_id, is_following, reason)
      values (${email}, ${type}, ${id}, ${is_following}, 'chosen')
      on conflict (entity_id, user_email) do update
        set is_following = excluded.is_following, reason = excluded.reason, created_at = excluded.created_at
        where stored.is_following <> excluded.is_following or stored.reason <> excluded.reason`.execute(
      transaction,
    )
    return readFollow(transaction, email, type, id)
  })

/** @param lock keeps the record until the transaction ends */
async function requireRecord(db: Db, type: FollowedType, id: string, lock = sql``): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(TABLES[type])} where id = ${id} ${lock}`.execute(db)
  await orTrashed(db, rows[0], type, id)
}

/** A user who is made to follow what a note or a task is about. */
export interface AutomaticFollow {
  user_email: string
  /** The note or task. */
  record_id: string
  reason: 'assigned' | 'mentioned'
}

/**
 * Makes users follow records that they have not chosen anything about. Replies are about what their parents are about. A private
 * note makes nobody follow: everyone sees who follows a record.
 */
export async function followAutomatically(
  transaction: Db,
  follows: readonly AutomaticFollow[],
): Promise<void> {
  if (follows.length === 0) return
  const columns = { user_email: 'text', record_id: 'text', reason: 'text' } as const
  await sql`
    insert into follows (user_email, entity_type, entity_id, is_following, reason)
    select distinct on (target_id, user_email) user_email, target_type, target_id, true, reason
    from ${rowsFrom(
      'added',
      columns,
      follows.map((follow) => ({ ...follow })),
    )}
      left join notes on notes.id = added.record_id
      join links on links.record_id = coalesce(notes.parent_id, added.record_id) and relation = 'about'
    where not exists (select from private_records where private_records.id = added.record_id)
    order by target_id, user_email
    on conflict do nothing`.execute(transaction)
}

/** Deletes who follows records that are purged. */
export async function removeFollowsOf(transaction: Db, ids: readonly string[]): Promise<void> {
  await sql`delete from follows where entity_id = any(${[...ids]})`.execute(transaction)
}

/** Deletes what a user follows. */
export async function removeFollowsBy(db: Db, email: string): Promise<void> {
  await sql`delete from follows where user_email = ${email}`.execute(db)
}
