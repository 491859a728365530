import { sql } from 'kysely'
import type { Json } from '#src/platform/answers.ts'
import type { Db } from '#src/platform/database.ts'
import { asRecord, utc } from '#src/platform/sql.ts'
import { defaultPreferences, type Preferences } from './schema.ts'

const fields = sql`email, name, picture, role, preferences, ${utc('created_at')}, ${utc('updated_at')}`

async function readUser(db: Db, email: string): Promise<Json | undefined> {
  const { rows } = await sql<{ record: Json }>`
    select (${asRecord(sql`select ${fields} from users where email = ${email}`)}) as record`.execute(db)
  return rows[0]?.record ?? undefined
}

async function createUser(db: Db, email: string): Promise<void> {
  await db
    .insertInto('users')
    .values({
      email,
      name: null,
      picture: null,
      role: 'member',
      preferences: JSON.stringify(defaultPreferences),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** The user of this e-mail address (in lower case), made on first lookup. */
export async function lookUpUser(db: Db, email: string): Promise<Json> {
  const known = await readUser(db, email)
  if (known) return known
  await createUser(db, email)
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

/** Changes the preferences that are named. */
export async function updatePreferences(
  db: Db,
  email: string,
  preferences: Partial<Preferences>,
): Promise<Json> {
  await createUser(db, email)
  await sql`
    update users set preferences = (preferences::jsonb || ${JSON.stringify(preferences)}::jsonb)::json, updated_at = now()
    where email = ${email}`.execute(db)
  return (await readUser(db, email)) as Json
}
