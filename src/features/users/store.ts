import { sql } from 'kysely'
import { withoutAccents } from '#src/platform/accents.ts'
import type { Db } from '#src/platform/database/database.ts'
import type { Json } from '#src/platform/database/sql.ts'
import { type JsonPage, jsonObject, readPage, utc } from '#src/platform/database/sql.ts'
import { Conflict, InvalidInput } from '#src/platform/errors.ts'
import type { FilterCaller } from '#src/platform/filter/query.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import { isTimeZone } from '#src/platform/schema/time-zone.ts'
import { defaultPreferences, type UserQuery } from './schema.ts'

const fields = sql`email, name, picture, role, disabled_at is not null as disabled, preferences,
  ${utc('created_at')}, ${utc('updated_at')}`

/** A page of users, ordered by email address. */
export const listUsers = (db: Db, query: UserQuery): Promise<JsonPage> =>
  readPage(db, { table: 'users', fields, where: [], order: sql`order by email collate "C"` }, pageOf(query))

/** The user with this email address (in lower case). */
export async function readUser(db: Db, email: string): Promise<Json | undefined> {
  const { rows } = await sql<{ record: Json }>`
    select (${jsonObject(sql`select ${fields} from users where email = ${email}`)}) as record`.execute(db)
  return rows[0]?.record ?? undefined
}

/** Filters for a user by email address; null: unknown, so that the workspace's days count. */
export interface FilterCallers {
  (user: { email: string }): FilterCaller & { email: string }
  (user: { email: string } | null): FilterCaller
}

/** @param workspaceTimeZone of users who have chosen none */
export const filterCallers = (db: Db, workspaceTimeZone: string) =>
  ((user: { email: string } | null) => ({
    email: user?.email ?? null,
    readTimeZone: async () => (user && (await readTimeZone(db, user.email))) ?? workspaceTimeZone,
  })) as FilterCallers

/** The time zone that the user has chosen, if any. */
async function readTimeZone(db: Db, email: string): Promise<string | undefined> {
  const { rows } = await sql<{ zone: string | null }>`
    select preferences ->> 'time_zone' as zone from users where email = ${email}`.execute(db)
  const zone = rows[0]?.zone
  // Clients may have stored anything under this key before it had a meaning.
  return zone && isTimeZone(zone) ? zone : undefined
}

/**
 * Checks that addresses in the input are those of users.
 * @param input each address, in lower case, with the name of its field
 * @throws InvalidInput that names the field of the first one without a user
 */
export async function requireUsers(
  db: Db,
  input: readonly (readonly [field: string, email: string])[],
): Promise<void> {
  if (input.length === 0) return
  const emails = [...new Set(input.map(([, email]) => email))]
  const { rows } = await sql<{ email: string }>`
    select email from users where email = any(${emails})`.execute(db)
  const users = new Set(rows.map(({ email }) => email))
  const [field, unknown] = input.find(([, email]) => !users.has(email)) ?? []
  if (unknown !== undefined)
    throw new InvalidInput(`${field} must be the email address of a user, not "${unknown}".`)
}

/**
 * Checks that an owner is a user.
 * @param email in lower case; nothing is checked without one
 * @throws InvalidInput if there is no such user
 */
export const requireOwner = (db: Db, email: string | null | undefined): Promise<void> =>
  requireUsers(db, email ? [['owner_email', email]] : [])

/** Those of the users who are disabled. @param emails in lower case */
export async function findDisabled(db: Db, emails: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ email: string }>`
    select email from users where email = any(${emails}) and disabled_at is not null`.execute(db)
  return new Set(rows.map(({ email }) => email))
}

/**
 * Checks that what belongs to one user alone may be given to another: the first one has lost access, the second one has not.
 * @param alternative what the first one can do while not disabled
 * @throws InvalidInput for a user who does not exist, or the same user twice; Conflict if `from` is not disabled, or `to` is
 */
export async function requireTransfer(
  db: Db,
  { from, to }: { from: string; to: string },
  alternative: string,
): Promise<void> {
  if (from === to) throw new InvalidInput('to must be another user than from.')
  await requireUsers(db, Object.entries({ from, to }))
  const disabled = await findDisabled(db, [from, to])
  if (!disabled.has(from))
    throw new Conflict(`${from} is not disabled. Disable the user first, or ask them to ${alternative}.`)
  if (disabled.has(to)) throw new Conflict(`${to} is disabled. Choose a user who is not.`)
}

/** The users that a file may name. */
export interface UserReferences {
  /** The email addresses, in lower case. */
  emails: ReadonlySet<string>
  /** The email addresses by name, folded with `foldUserName`. */
  byName: ReadonlyMap<string, readonly string[]>
}

/** A name for comparisons: without case, accents, and extra spaces. */
export const foldUserName = (name: string): string =>
  withoutAccents(name).toLowerCase().replace(/\s+/g, ' ').trim()

/** All users by email address, and those who are not disabled by name. */
export async function userReferences(db: Db): Promise<UserReferences> {
  const users = await db.selectFrom('users').select(['email', 'name', 'disabled_at']).execute()
  const byName = new Map<string, string[]>()
  for (const { email, name, disabled_at } of users) {
    if (disabled_at || !name) continue
    const sameName = byName.get(foldUserName(name))
    if (sameName) sameName.push(email)
    else byName.set(foldUserName(name), [email])
  }
  return { emails: new Set(users.map(({ email }) => email)), byName }
}

/**
 * Deletes a user who is in the way of giving another address to the other record of the same person.
 * @param kept the other record's address
 */
export async function deleteDuplicate(db: Db, email: string, kept: string): Promise<void> {
  await sql`
    delete from users where email = ${email} and exists (select from users where email = ${kept})`.execute(db)
}

/** Replaces everything personal in a user's record, and makes the user a member who is disabled. */
export async function clearProfile(db: Db, email: string): Promise<void> {
  await sql`
    update users set name = 'Erased user', picture = null, role = 'member',
      preferences = ${JSON.stringify(defaultPreferences)}::json, updated_at = now(),
      disabled_at = coalesce(disabled_at, now()), signed_in_at = null, access_changed_at = clock_timestamp()
    where email = ${email}`.execute(db)
}
