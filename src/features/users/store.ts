import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { isOutOfResources, isReadOnly } from '#src/platform/database/errors.ts'
import type { Json } from '#src/platform/database/sql.ts'
import { type JsonPage, jsonArray, jsonObject, utc } from '#src/platform/database/sql.ts'
import { InvalidInput } from '#src/platform/errors.ts'
import type { FilterCaller } from '#src/platform/filter/query.ts'
import { DEFAULT_ROLE } from '#src/platform/http/security/permissions.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import { isTimeZone } from '#src/platform/schema/time-zone.ts'
import { deriveName } from './derive-name.ts'
import { applyPreferences } from './preferences.ts'
import {
  defaultPreferences,
  type Preferences,
  type PreferencesPatch,
  type UserQuery,
  type UserRecord,
} from './schema.ts'

const fields = sql`email, name, picture, role, disabled_at is not null as disabled, preferences,
  ${utc('created_at')}, ${utc('updated_at')}`

/** A page of users, ordered by email address. */
export async function listUsers(db: Db, query: UserQuery): Promise<JsonPage> {
  const { limit, offset } = pageOf(query)
  const page = sql`select ${fields} from users order by email collate "C" limit ${limit} offset ${offset}`
  const { rows } = await sql<JsonPage>`
    select (${jsonArray(page)}) as records, (select count(*)::float8 from users) as total`.execute(db)
  return rows[0] as JsonPage
}

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
 * @param given each address, in lower case, with the name of its field
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
    throw new InvalidInput(
      `${field} must be the email address of a user, not "${unknown}". GET /api/users/${unknown} creates one.`,
    )
}

/**
 * Checks that an owner is a user.
 * @param email in lower case; nothing is checked without one
 * @throws InvalidInput if there is no such user
 */
export const requireOwner = (db: Db, email: string | null | undefined): Promise<void> =>
  requireUsers(db, email ? [['owner_email', email]] : [])

/** The users that a file may name. */
export interface UserReferences {
  /** The email addresses, in lower case. */
  emails: ReadonlySet<string>
  /** The email addresses by name, folded with `foldUserName`. */
  byName: ReadonlyMap<string, readonly string[]>
}

/** A name for comparisons: without case, accents, and extra spaces. */
export const foldUserName = (name: string): string =>
  name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim()

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

interface UserProfile {
  name?: string | undefined
  /** URL */
  picture?: string | undefined
}

/** Creates the user with this email address (in lower case) if there is none. */
export async function createUser(db: Db, email: string, { name, picture }: UserProfile = {}): Promise<void> {
  await db
    .insertInto('users')
    .values({
      email,
      name: name ?? deriveName(email),
      picture: picture ?? null,
      role: DEFAULT_ROLE,
      preferences: JSON.stringify(defaultPreferences),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/**
 * Returns the user with this email address, and creates the user on first use; while the database is read-only, returns
 * the user as it would be created.
 * @param email in lower case
 * @param profile used only for a new user
 */
export async function findOrCreateUser(db: Db, email: string, profile?: UserProfile): Promise<Json> {
  const user = await readUser(db, email)
  if (user) return user
  try {
    await createUser(db, email, profile)
  } catch (error) {
    if (isReadOnly(error) || isOutOfResources(error)) return unsavedUser(email, profile)
    throw error
  }
  return (await readUser(db, email)) as Json
}

function unsavedUser(email: string, { name = deriveName(email), picture }: UserProfile = {}): Json {
  const now = new Date().toISOString()
  const user: UserRecord = {
    email,
    name,
    picture: picture ?? null,
    role: DEFAULT_ROLE,
    disabled: false,
    preferences: defaultPreferences,
    created_at: now,
    updated_at: now,
  }
  return JSON.stringify(user) as Json
}

/** Creates the user with this email address (in lower case), or updates name and picture from the identity provider. */
export async function recordSignIn(
  db: Db,
  { email, name, picture }: { email: string; name: string | undefined; picture: string | undefined },
): Promise<void> {
  await createUser(db, email)
  await recordPresence(db, email)
  await sql`
    update users set name = coalesce(${name}, name), picture = coalesce(${picture}, picture), updated_at = now()
    where email = ${email}
      and (name, picture) is distinct from (coalesce(${name}, name), coalesce(${picture}, picture))`.execute(
    db,
  )
}

/** Records that this person has signed in, in whichever way. Only reads if that is known. */
export async function recordPresence(db: Db, email: string): Promise<void> {
  const { rows } = await sql`select from users where email = ${email} and signed_in_at is null`.execute(db)
  if (rows.length === 0) return
  await sql`
    update users set signed_in_at = now() where email = ${email} and signed_in_at is null`.execute(db)
}

/**
 * Updates the given preferences.
 * @throws InvalidInput if they become too many or too large
 */
export async function updatePreferences(db: Db, email: string, patch: PreferencesPatch): Promise<Json> {
  await createUser(db, email)
  return db.transaction().execute(async (transaction) => {
    const user = transaction.selectFrom('users').select('preferences').where('email', '=', email).forUpdate()
    const before = (await user.executeTakeFirstOrThrow()).preferences as unknown as Preferences
    const after = applyPreferences(before, patch)
    if (!isDeepStrictEqual(before, after))
      await sql`
        update users set preferences = ${JSON.stringify(after)}::json, updated_at = now()
        where email = ${email}`.execute(transaction)
    return (await readUser(transaction, email)) as Json
  })
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
