import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import type { Json } from '#src/platform/database/sql.ts'
import { InvalidInput } from '#src/platform/errors.ts'
import { createUser } from './create.ts'
import {
  MAX_PREFERENCE_KEYS,
  MAX_PREFERENCES_BYTES,
  type Preferences,
  type PreferencesPatch,
} from './schema.ts'
import { readUser } from './store.ts'

/**
 * Returns the preferences after a change; null removes a key.
 * @throws InvalidInput if they become too many or too large
 */
function applyPreferences(before: Preferences, patch: PreferencesPatch): Preferences {
  const entries = Object.entries({ ...before, ...patch }).filter(([, value]) => value !== null)
  const after = Object.fromEntries(entries) as Preferences
  if (entries.length > MAX_PREFERENCE_KEYS)
    throw new InvalidInput(
      `preferences must have at most ${MAX_PREFERENCE_KEYS} keys, and this change would make ${entries.length}. null removes a key.`,
    )
  const bytes = Buffer.byteLength(JSON.stringify(after))
  if (bytes > MAX_PREFERENCES_BYTES)
    throw new InvalidInput(
      `preferences must be at most ${MAX_PREFERENCES_BYTES} bytes of JSON, and this change would make ${bytes}.`,
    )
  return after
}

/**
 * Updates preferences.
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
