import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { rowsFrom } from '#src/platform/database/rows.ts'
import { type Json, type JsonPage, readPage, readRecord, utc } from '#src/platform/database/sql.ts'
import { orNotFound } from '#src/platform/errors.ts'
import type { Scope } from '#src/platform/http/security/permissions.ts'
import type { KeyUse } from '#src/platform/identity/credential-use.ts'
import type { PageRequest } from '#src/platform/schema/shapes.ts'
import type { ApiKeysTable } from './table.ts'

const table = 'api_keys'
const fields = sql`id, name, user_email, prefix, scopes, role, ${utc('created_at')}, ${utc('expires_at')},
  ${utc('last_used_at')}, last_used_address`

export type KeyRecord = Omit<
  ApiKeysTable,
  'last_used_at' | 'last_used_address' | 'revoked_at' | 'access_changed_at'
>

/** Stores a key and returns it as the API shows it. */
export async function insertKey(db: Db, key: KeyRecord): Promise<Json> {
  await db
    .insertInto(table)
    .values({
      ...key,
      scopes: sql<Scope[]>`${key.scopes}::text[]`,
      access_changed_at: sql<Date>`clock_timestamp()`,
    })
    .execute()
  return (await readRecord(db, { table, fields, id: key.id })) as Json
}

/** A page of a user's keys that are not revoked, newest first. */
export const listKeys = (db: Db, user_email: string, page: PageRequest): Promise<JsonPage> =>
  readPage(
    db,
    { table, fields, where: [sql`user_email = ${user_email}`, sql`revoked_at is null`] },
    { limit: page.limit, offset: page.offset },
  )

/** How many valid keys a user has. */
export async function countKeys(db: Db, user_email: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from api_keys where user_email = ${user_email} and revoked_at is null
      and (expires_at is null or expires_at > now())`.execute(db)
  return rows[0]?.count ?? 0
}

/**
 * The owner of a key that is not revoked.
 * @throws NotFound
 */
export async function readKeyOwner(db: Db, id: string): Promise<string> {
  const key = db.selectFrom(table).select('user_email').where('id', '=', id).where('revoked_at', 'is', null)
  return orNotFound(await key.executeTakeFirst(), 'key', id).user_email
}

/** A key that was just revoked, as the audit log shows it. */
export interface RevokedKey {
  key_id: string
  user_email: string
  prefix: string
}

/** Revokes a key for good. Returns undefined if it already was, or does not exist. */
export const revokeKey = async (db: Db, id: string): Promise<RevokedKey | undefined> =>
  (await revoke(db, sql`id = ${id}`))[0]

/** Revokes all keys of a user. */
export const revokeKeysOf = (db: Db, user_email: string): Promise<RevokedKey[]> =>
  revoke(db, sql`user_email = ${user_email}`)

async function revoke(db: Db, where: RawBuilder<unknown>): Promise<RevokedKey[]> {
  const { rows } = await sql<RevokedKey>`
    update api_keys set revoked_at = clock_timestamp(), access_changed_at = clock_timestamp()
    where ${where} and revoked_at is null returning id as key_id, user_email, prefix`.execute(db)
  return rows
}

/** Clears everything personal in the records of a user's keys, which must be revoked. */
export async function clearKeysOf(db: Db, user_email: string): Promise<void> {
  await sql`
    update api_keys set name = 'Erased', last_used_address = null where user_email = ${user_email}`.execute(
    db,
  )
}

/** Writes when and from where keys were used. */
export async function recordKeyUses(db: Db, uses: readonly KeyUse[]): Promise<void> {
  if (uses.length === 0) return
  const latest = [...new Map(uses.map((use) => [use.id, use])).values()]
  await sql`
    update api_keys set last_used_at = to_timestamp(seen / 1000), last_used_address = address
    from ${rowsFrom('uses', { id: 'text', seen: 'float8', address: 'text' }, latest)}
    where api_keys.id = uses.id and revoked_at is null and (last_used_at is null or last_used_at < to_timestamp(seen / 1000))`.execute(
    db,
  )
}
