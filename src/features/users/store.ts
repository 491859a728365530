import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import type { Json } from '#src/platform/database/sql.ts'
import { asList, asRecord, type JsonPage, utc } from '#src/platform/database/sql.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import { deriveName } from './derive-name.ts'
import { changedPreferences } from './preferences.ts'
import { defaultPreferences, type Preferences, type PreferencesPatch, type UserQuery } from './schema.ts'

const fields = sql`email, name, picture, role, preferences, ${utc('created_at')}, ${utc('updated_at')}`

/** A page of users, by their e-mail addresses. */
export async function listUsers(db: Db, query: UserQuery): Promise<JsonPage> {
  const { limit, offset } = pageOf(query)
  const page = sql`select ${fields} from users order by email collate "C" limit ${limit} offset ${offset}`
  const { rows } = await sql<JsonPage>`
    select (${asList(page)}) as records, (select count(*)::float8 from users) as total`.execute(db)
  return rows[0] as JsonPage
}

async function readUser(db: Db, email: string): Promise<Json | undefined> {
  const { rows } = await sql<{ record: Json }>`
    select (${asRecord(sql`select ${fields} from users where email = ${email}`)}) as record`.execute(db)
  return rows[0]?.record ?? undefined
}

/** What else is known of a user. */
interface KnownOfUser {
  name?: string | undefined
  /** An address. */
  picture?: string | undefined
}

async function createUser(db: Db, email: string, { name, picture }: KnownOfUser = {}): Promise<void> {
  await db
    .insertInto('users')
    .values({
      email,
      name: name ?? deriveName(email),
      picture: picture ?? null,
      role: 'member',
      preferences: JSON.stringify(defaultPreferences),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/**
 * The user of this email address (in lower case), created on first lookup.
 * @param known used for a new user only
 */
export async function lookUpUser(db: Db, email: string, known?: KnownOfUser): Promise<Json> {
  const user = await readUser(db, email)
  if (user) return user
  await createUser(db, email, known)
  return (await readUser(db, email)) as Json
}

/** Makes the user of this e-mail address (in lower case), or brings what the identity provider says up to date. */
export async function recordSignIn(
  db: Db,
  { email, name, picture }: { email: string; name: string | undefined; picture: string | undefined },
): Promise<void> {
  await createUser(db, email)
  await sql`
    update users set name = coalesce(${name}, name), picture = coalesce(${picture}, picture), updated_at = now()
    where email = ${email}
      and (name, picture) is distinct from (coalesce(${name}, name), coalesce(${picture}, picture))`.execute(
    db,
  )
}

/**
 * Changes the preferences that are named.
 * @throws InvalidInput when they would become too many or too large
 */
export async function updatePreferences(db: Db, email: string, patch: PreferencesPatch): Promise<Json> {
  await createUser(db, email)
  return db.transaction().execute(async (transaction) => {
    const user = transaction.selectFrom('users').select('preferences').where('email', '=', email).forUpdate()
    const before = (await user.executeTakeFirstOrThrow()).preferences as unknown as Preferences
    const after = changedPreferences(before, patch)
    if (!isDeepStrictEqual(before, after))
      await sql`
        update users set preferences = ${JSON.stringify(after)}::json, updated_at = now()
        where email = ${email}`.execute(transaction)
    return (await readUser(transaction, email)) as Json
  })
}
