import { sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import type { AccessChanges } from '#src/platform/identity/access-state.ts'

/** Transactions that commit later than this after their first statement could be missed until the next full reading. */
const OVERLAP = '2 minutes'

/**
 * Reads disabled users and roles, API keys, ended sessions, and erased addresses in one statement.
 * @param since the `read_at` of an earlier reading, to read only rows that changed since; some may have been read before
 */
export async function readAccessChanges(db: Db, since: string | undefined): Promise<AccessChanges> {
  const from = since === undefined ? undefined : sql`(${since}::timestamptz - interval '${sql.raw(OVERLAP)}')`
  const users = from ? sql`access_changed_at > ${from}` : sql`role <> 'member' or disabled_at is not null`
  const keys = from
    ? sql`access_changed_at > ${from}`
    : sql`revoked_at is null or revoked_at > now() - interval '7 days'`
  const sessions = from ? sql`ended_at > ${from}` : sql`ended_at is not null and expires_at > now()`
  const erased = from ? sql`started_at > ${from}` : sql`true`
  const { rows } = await sql<AccessChanges>`
    select now()::text as read_at,
      (select coalesce(json_agg(row_to_json(u)), '[]') from
        (select email, role, disabled_at is not null as is_disabled from users where ${users}) u) as users,
      (select coalesce(json_agg(row_to_json(k)), '[]') from
        (select id, hash, user_email, scopes, role, revoked_at is not null as is_revoked,
          ceil(extract(epoch from expires_at))::float8 as expires from api_keys where ${keys}) k) as keys,
      (select coalesce(json_agg(row_to_json(s)), '[]') from
        (select id, extract(epoch from expires_at)::float8 as expires from sessions where ${sessions}) s)
        as ended_sessions,
      (select coalesce(json_agg(row_to_json(e)), '[]') from
        (select pseudonym, address_hash from erasures where address_hash is not null and ${erased}) e) as erased`.execute(
    db,
  )
  return rows[0] as AccessChanges
}
