import { sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { isOutOfResources, isReadOnly } from '#src/platform/database/errors.ts'
import type { Json } from '#src/platform/database/sql.ts'
import { DEFAULT_ROLE } from '#src/platform/http/security/permissions.ts'
import { defaultPreferences, type UserRecord } from './schema.ts'
import { readUser } from './store.ts'

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

/**
 * Derives a name from an email address: `ada.beck@example.com` gives Ada Beck.
 * If no part consists of letters, the name is everything before the @.
 */
export function deriveName(email: string): string {
  const account = email.slice(0, email.lastIndexOf('@'))
  const local = account.split('+', 1)[0] as string
  // A hyphen is part of the name if another character separates the words, as in jean-luc.picard.
  const isHyphenated = /[^\p{L}\p{M}\p{N}'’-]/u.test(trimmed(local))
  const words = local
    .split(isHyphenated ? /[^\p{L}\p{M}\p{N}'’-]+/u : /[^\p{L}\p{M}\p{N}'’]+/u)
    .map(trimmed)
    .filter((word) => /^[\p{L}\p{M}'’-]+$/u.test(word))
  return words.map(capitalized).join(' ') || account
}

/** Removes leading and trailing digits and punctuation. */
const trimmed = (word: string): string => word.replace(/^[^\p{L}\p{M}]+|[^\p{L}\p{M}]+$/gu, '')

const capitalized = (word: string): string =>
  word.toLowerCase().replace(/(?<![\p{L}\p{M}])\p{L}/gu, (letter) => letter.toUpperCase())

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
