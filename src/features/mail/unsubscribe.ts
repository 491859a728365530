import { sql } from 'kysely'
import { DEFAULT_MAIL, NOTIFICATION_KINDS } from '#src/features/notifications/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { NotFound } from '#src/platform/errors.ts'
import type { UnsubscribeKind } from './schema.ts'
import { ownerOf } from './unsubscribe-tokens.ts'

type Kind = (typeof NOTIFICATION_KINDS)[number]

/**
 * The kinds of notifications that would no longer be mailed.
 * @param kind undefined: all
 * @throws NotFound if the token is that of no user
 */
export async function readKindsToEnd(
  db: Db,
  token: string,
  kind: UnsubscribeKind | undefined,
  lock = sql``,
): Promise<Kind[]> {
  const { rows } = await sql<{ timings: Record<Kind, string> }>`
    select ${JSON.stringify(DEFAULT_MAIL)}::jsonb || mail as timings from notification_settings
    where user_email in ${ownerOf(token)} ${lock}`.execute(db)
  const timings = rows[0]?.timings
  if (!timings) throw new NotFound('This address to unsubscribe is not valid. Use the one in your last mail.')
  return NOTIFICATION_KINDS.filter((each) =>
    kind === 'digest' ? timings[each] === 'digest' : kind === undefined || kind === each,
  )
}

/**
 * Ends mail of these kinds for the user with this token. Doing so twice changes nothing.
 * @throws NotFound if the token is that of no user
 */
export const unsubscribe = (db: Db, token: string, kind: UnsubscribeKind | undefined): Promise<Kind[]> =>
  db.transaction().execute(async (transaction) => {
    const kinds = await readKindsToEnd(transaction, token, kind, sql`for update`)
    const off = Object.fromEntries(kinds.map((each) => [each, 'off']))
    await sql`
      update notification_settings set mail = mail || ${JSON.stringify(off)}::jsonb
      where user_email in ${ownerOf(token)}`.execute(transaction)
    return kinds
  })
