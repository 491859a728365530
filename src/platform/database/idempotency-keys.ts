import { sql } from 'kysely'
import type { Db } from './database.ts'

/** One caller's key for one route. */
export interface RequestKey {
  principal: string
  route: string
  key: string
}

/** A response that is repeated. */
export interface StoredResponse {
  request_hash: string
  status: number
  headers: Record<string, string>
  body: string | null
}

const KEPT_HOURS = 24
/** A request that is handled in several transactions claims its key for this long, again and again. */
export const CLAIM_SECONDS = 15

const isKey = ({ principal, route, key }: RequestKey) =>
  sql`principal = ${principal} and route = ${route} and key = ${key}`

/** Takes the key until the transaction ends. Returns false if another request has it. */
export async function tryKey(transaction: Db, { principal, route, key }: RequestKey): Promise<boolean> {
  const text = JSON.stringify([principal, route, key])
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${text}, 0)) as taken`.execute(transaction)
  return rows[0]?.taken ?? false
}

/** The stored response, `claimed` while another request with this key is being handled, or undefined. */
export async function readResponse(db: Db, key: RequestKey): Promise<StoredResponse | 'claimed' | undefined> {
  const { rows } = await sql<StoredResponse & { status: number | null; is_claimed: boolean | null }>`
    select request_hash, status, headers, body, claimed_until > clock_timestamp() as is_claimed
    from idempotency_keys
    where ${isKey(key)} and created_at > now() - make_interval(hours => ${KEPT_HOURS})`.execute(db)
  const [row] = rows
  if (row?.is_claimed) return 'claimed'
  return row && row.status !== null ? row : undefined
}

/** Stores the response for 24 hours. */
export async function storeResponse(db: Db, key: RequestKey, response: StoredResponse): Promise<void> {
  const { request_hash, status, headers, body } = response
  await sql`
    insert into idempotency_keys (principal, route, key, request_hash, status, headers, body)
    values (${key.principal}, ${key.route}, ${key.key}, ${request_hash}, ${status}, ${JSON.stringify(headers)}::json,
      ${body})
    on conflict (principal, route, key) do update set request_hash = excluded.request_hash, status = excluded.status,
      headers = excluded.headers, body = excluded.body, created_at = excluded.created_at, claimed_until = null`.execute(
    db,
  )
}

/** Claims the key for `CLAIM_SECONDS`, or for that long again. */
export async function claimKey(db: Db, { principal, route, key }: RequestKey): Promise<void> {
  const until = sql`clock_timestamp() + make_interval(secs => ${CLAIM_SECONDS})`
  await sql`
    insert into idempotency_keys (principal, route, key, claimed_until)
    values (${principal}, ${route}, ${key}, ${until})
    on conflict (principal, route, key) do update set claimed_until = ${until}, status = null, created_at = now()`.execute(
    db,
  )
}

/** Gives up the claim: the request failed. */
export async function releaseKey(db: Db, key: RequestKey): Promise<void> {
  await sql`delete from idempotency_keys where ${isKey(key)} and status is null`.execute(db)
}

/** Deletes keys that have expired. */
export async function deleteExpiredKeys(db: Db): Promise<void> {
  await sql`
    delete from idempotency_keys where created_at < now() - make_interval(hours => ${KEPT_HOURS})`.execute(db)
}
