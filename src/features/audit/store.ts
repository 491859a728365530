import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { all, type JsonPage, readPage, utc } from '#src/platform/database/sql.ts'
import { printable } from '#src/platform/errors.ts'
import { idTime, newId } from '#src/platform/ids.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import { truncate } from '#src/platform/truncate.ts'
import type { AuditEntry, AuditEvent, AuditFilters, AuditQuery } from './schema.ts'

/** Where an entry comes from. A Fastify request is one. */
export interface AuditSource {
  readonly user: { readonly email: string } | null
  /** The client's address. */
  readonly ip: string | null
  /** The request's id. */
  readonly id: string | null
  readonly headers: { readonly 'user-agent'?: string | undefined }
}

/** What happened. `details` must not contain secrets; other email addresses in it are erased with their users. */
export interface AuditedEvent {
  event: AuditEvent
  /** By default the user of the source. */
  user_email?: string | null
  details?: Record<string, unknown>
}

export type NewAuditEntry = Pick<
  AuditEntry,
  'id' | 'at' | 'event' | 'user_email' | 'address' | 'browser' | 'request_id' | 'details'
>

/** The source of entries that no request causes. */
export const NO_REQUEST: AuditSource = { user: null, ip: null, id: null, headers: {} }

const MAX_TEXT_LENGTH = 500

/** Texts are stored without control characters and at most 500 characters long. */
const cleanText = (text: string): string => truncate(printable(text), MAX_TEXT_LENGTH)

/** An entry with the present time. */
export function auditEntry(
  { user, ip, id: request_id, headers }: AuditSource,
  { event, user_email, details = {} }: AuditedEvent,
): NewAuditEntry {
  const id = newId('aud')
  const { 'user-agent': browser } = headers
  const clean = JSON.stringify(details, (_key, value) =>
    typeof value === 'string' ? cleanText(value) : value,
  )
  return {
    id,
    at: idTime(id).toISOString(),
    event,
    user_email: user_email === undefined ? (user?.email ?? null) : user_email,
    address: ip,
    browser: browser === undefined ? null : cleanText(browser),
    request_id,
    details: JSON.parse(clean),
  }
}

/** Writes entries. Those that are stored already are left as they are, so that a failed write can be repeated. */
export async function insertAuditEntries(db: Db, entries: readonly NewAuditEntry[]): Promise<void> {
  await sql`
    insert into audit_entries (id, at, event, user_email, address, browser, request_id, details)
    select * from json_to_recordset(${JSON.stringify(entries)}::json) as row
      (id text, at timestamptz, event text, user_email text, address text, browser text, request_id text, details json)
    on conflict (id) do nothing`.execute(db)
}

/**
 * Records events whose effect is in the database. Transactions that record events take turns from here to their end,
 * so call it last.
 * @param db the transaction of the effect
 * @param source the request
 */
export async function recordAudit(db: Db, source: AuditSource, ...events: AuditedEvent[]): Promise<void> {
  if (events.length === 0) return
  await insertAuditEntries(
    db,
    events.map((event) => auditEntry(source, event)),
  )
}

const fields = sql`id, ${utc('at')}, event, user_email, address, browser, request_id, details`

function conditions({ event, user_email, address, since, until }: AuditFilters): RawBuilder<unknown>[] {
  const where: RawBuilder<unknown>[] = []
  if (event) where.push(sql`event = ${event}`)
  if (user_email) where.push(sql`user_email = ${user_email.toLowerCase()}`)
  if (address) where.push(sql`address = ${address}`)
  if (since) where.push(sql`at >= ${since}::timestamptz`)
  if (until) where.push(sql`at < ${until}::timestamptz`)
  return where
}

/** A page of the audit log, newest first. */
export const listAuditEntries = (db: Db, query: AuditQuery): Promise<JsonPage> =>
  readPage(db, { table: 'audit_entries', fields, where: conditions(query) }, pageOf(query))

/** The next entries after an id, oldest first. */
export async function readEntriesAfter(
  db: Db,
  filters: AuditFilters,
  id: string,
  limit: number,
): Promise<AuditEntry[]> {
  const where = all([...conditions(filters), sql`id > ${id}`])
  const { rows } = await sql<AuditEntry>`
    select ${fields} from audit_entries where ${where} order by id limit ${limit}`.execute(db)
  return rows
}

/** Finds an email address in a column, and replaces it. */
interface AddressMatcher {
  isIn(column: { name: string; type: string }): RawBuilder<boolean>
  replacedIn(column: { name: string; type: string }, replacement: string): RawBuilder<unknown>
}

const USER = { name: 'user_email', type: 'text' }
const BROWSER = { name: 'browser', type: 'text' }
const DETAILS = { name: 'details', type: 'json' }

/**
 * Replaces an email address by a pseudonym, and removes the client's address and browser from the person's own
 * entries. Changed values lose their salts, so that the chain of hashes still holds.
 * @returns the number of changed entries, which an entry `user_erased` must record
 */
export async function eraseFromAudit(
  transaction: Db,
  address: AddressMatcher,
  pseudonym: string,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    with found as materialized (
      select position, ${address.isIn(USER)} as is_user, ${address.isIn(BROWSER)} as in_browser,
        ${address.isIn(DETAILS)} as in_details from audit_entries),
    matching as (
      select *, is_user or (in_details and user_email is null) as is_own from found join audit_entries using (position)
      where is_user or in_browser or in_details)
    update audit_entries set
      user_email = case when is_user then ${pseudonym} else audit_entries.user_email end,
      address = case when is_own then null else audit_entries.address end,
      browser = case when is_own then null else ${address.replacedIn(qualified(BROWSER), pseudonym)} end,
      details = ${address.replacedIn(qualified(DETAILS), pseudonym)},
      salts = array[
        case when not is_user then audit_entries.salts[1] end,
        case when not is_own then audit_entries.salts[2] end,
        case when not is_own and not in_browser then audit_entries.salts[3] end,
        case when not in_details then audit_entries.salts[4] end]
    from matching where audit_entries.position = matching.position`.execute(transaction)
  return Number(numAffectedRows)
}

const qualified = ({ name, type }: typeof USER) => ({ name: `audit_entries.${name}`, type })
