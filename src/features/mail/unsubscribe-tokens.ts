import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { CannotOpen, type Keyring } from '#src/platform/encryption/keyring.ts'
import { contextOf, type SealedColumn } from '#src/platform/encryption/sealed-columns.ts'

const TOKEN_BYTES = 32

/** The tokens in addresses to unsubscribe. Versions before 0062_unsubscribe_tokens stored them as plain text. */
export const UNSUBSCRIBE_TOKENS: SealedColumn = {
  table: 'unsubscribe_tokens',
  id: 'hash',
  column: 'sealed',
  plain: { count: countPlain, sealSome: sealPlain },
}

/** By which a token is found. It is random enough that its hash needs no salt. */
const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')

/** The user of a token, also of one that was replaced, as a subquery. */
export const ownerOf = (token: string) => sql`(
  select user_email from unsubscribe_tokens where hash = ${hashOf(token)}
  union all select user_email from notification_settings where unsubscribe_token = ${token})`

/** What is stored of a user's token. */
export interface StoredToken {
  /** Of earlier versions. */
  plain: string | null
  hash: string | null
  sealed: string | null
}

/**
 * The token of a user for new mails. One that cannot be read is replaced; addresses in earlier mails still work.
 * @param onReplaced is told why
 */
export async function readToken(
  db: Db,
  keyring: Keyring,
  user_email: string,
  { plain, hash, sealed }: StoredToken,
  onReplaced: (reason: CannotOpen) => void,
): Promise<string> {
  if (plain !== null) return plain
  if (hash === null || sealed === null) return createToken(db, keyring, user_email)
  try {
    return await openToken(keyring, hash, sealed)
  } catch (error) {
    if (!(error instanceof CannotOpen)) throw error
    onReplaced(error)
    return createToken(db, keyring, user_email)
  }
}

const openToken = (keyring: Keyring, hash: string, sealed: string): Promise<string> =>
  keyring.open(sealed, contextOf(UNSUBSCRIBE_TOKENS, hash))

/** Gives a user a token, unless another process has done so. One that cannot be read only keeps its hash. */
function createToken(db: Db, keyring: Keyring, user_email: string): Promise<string> {
  return db.transaction().execute(async (transaction) => {
    await sql`
      select from notification_settings where user_email = ${user_email} for update`.execute(transaction)
    const { rows } = await sql<{ hash: string; sealed: string }>`
      select hash, sealed from unsubscribe_tokens
      where user_email = ${user_email} and sealed is not null for update`.execute(transaction)
    const [present] = rows
    if (present) {
      const token = await openToken(keyring, present.hash, present.sealed).catch(() => undefined)
      if (token !== undefined) return token
      await sql`update unsubscribe_tokens set sealed = null where hash = ${present.hash}`.execute(transaction)
    }
    const token = randomBytes(TOKEN_BYTES).toString('hex')
    await storeToken(transaction, keyring, user_email, token)
    return token
  })
}

async function storeToken(
  transaction: Db,
  keyring: Keyring,
  user_email: string,
  token: string,
): Promise<void> {
  const hash = hashOf(token)
  const sealed = await keyring.seal(token, contextOf(UNSUBSCRIBE_TOKENS, hash))
  await sql`
    insert into unsubscribe_tokens (hash, user_email, sealed) values (${hash}, ${user_email}, ${sealed})`.execute(
    transaction,
  )
}

async function countPlain(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(unsubscribe_token)::int as count from notification_settings`.execute(db)
  return rows[0]?.count ?? 0
}

function sealPlain(db: Db, keyring: Keyring, limit: number): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ user_email: string; token: string }>`
      select user_email, unsubscribe_token as token from notification_settings where unsubscribe_token is not null
      limit ${sql.lit(limit)} for update skip locked`.execute(transaction)
    for (const { user_email, token } of rows) await storeToken(transaction, keyring, user_email, token)
    await sql`
      update notification_settings set unsubscribe_token = null
      where user_email = any(${rows.map((row) => row.user_email)})`.execute(transaction)
    return rows.length
  })
}
