import { sql } from 'kysely'
import { type AuditedEvent, type AuditSource, recordAudit } from '#src/features/audit/index.ts'
import { endSessionsOf } from '#src/features/sessions/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { Conflict, InvalidInput } from '#src/platform/errors.ts'
import { ROLES } from '#src/platform/http/security/permissions.ts'
import type { AccessChanges } from '#src/platform/identity/access-state.ts'
import { type Allowlist, isAllowed } from '#src/platform/identity/allowlist.ts'
import { PSEUDONYM } from '#src/platform/identity/pseudonym.ts'
import { truncate } from '#src/platform/truncate.ts'

export interface UserAccessPatch {
  role?: string | undefined
  disabled?: boolean | undefined
}

/** What belongs to a user who is being disabled goes to others. Called in the transaction, once the user is disabled. */
export type OnDisabled = (
  transaction: Db,
  email: string,
  caller: { email: string } | null,
) => Promise<unknown>

/** The settings that say who may sign in, and who the first admins are. */
export interface AdminSettings extends Allowlist {
  /** In lower case. */
  readonly adminEmails: readonly string[]
}

/**
 * What a patch changes of a user's role and access; a value sent back unchanged is no change.
 * @throws InvalidInput for an unknown role
 */
export function accessChanges(
  before: { role: string; disabled: boolean },
  { role, disabled }: UserAccessPatch,
): UserAccessPatch {
  const changes: UserAccessPatch = {}
  if (role !== undefined && role !== before.role) changes.role = role
  if (disabled !== undefined && disabled !== before.disabled) changes.disabled = disabled
  if (changes.role !== undefined && !(ROLES as readonly string[]).includes(changes.role))
    throw new InvalidInput(`role must be one of ${ROLES.join(', ')}, not "${truncate(changes.role, 100)}".`)
  return changes
}

/**
 * Changes a user's role, and disables or enables them, and records that in the audit log. Disabling ends their sessions.
 * @param source the request
 * @param email of a user who exists, in lower case
 * @throws Conflict if no admin would be left who can sign in, and for an erased person; InvalidInput for an unknown role
 */
export async function changeAccess(
  db: Db,
  source: AuditSource,
  email: string,
  patch: UserAccessPatch,
  settings: AdminSettings,
  onDisabled: OnDisabled,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const caller = source.user?.email
    const events = await changeAccessWithin(transaction, email, patch, settings, caller)
    if (patch.disabled) await onDisabled(transaction, email, source.user ?? null)
    await recordAudit(transaction, source, ...events)
  })
}

/**
 * The same as part of a transaction.
 * @param caller the user who makes the change
 * @returns the events, to be recorded at the end of the transaction; none without such a user
 * @throws Conflict if no admin would be left who can sign in, and for an erased person; InvalidInput for an unknown role
 */
export async function changeAccessWithin(
  transaction: Db,
  email: string,
  patch: UserAccessPatch,
  settings: AdminSettings,
  caller?: string,
): Promise<AuditedEvent[]> {
  if (PSEUDONYM.test(email))
    throw new Conflict(`${email} stands for an erased person, whose role and access cannot be changed.`)
  const admins = await lockAdmins(transaction)
  const { rows } = await sql<{ role: string; disabled: boolean }>`
    select role, disabled_at is not null as disabled from users where email = ${email} for update`.execute(
    transaction,
  )
  if (!rows[0]) return []
  const { role, disabled } = accessChanges(rows[0], patch)
  if (disabled === true || role !== undefined) requireOtherAdmin(admins, email, settings, caller)
  await sql`
    update users set role = coalesce(${role ?? null}, role),
      disabled_at = case when ${disabled ?? null}::boolean then now()
        when ${disabled ?? null}::boolean is null then disabled_at end,
      access_changed_at = clock_timestamp(), updated_at = now()
    where email = ${email}`.execute(transaction)
  const session_ids = disabled ? await endSessionsOf(transaction, email) : []
  return eventsOf(email, rows[0].role, { role, disabled }, session_ids)
}

interface Admin {
  email: string
  has_signed_in: boolean
}

/** The admins who are not disabled. Changes of access take turns, so that two admins cannot remove each other. */
async function lockAdmins(transaction: Db): Promise<Admin[]> {
  const { rows } = await sql<Admin>`
    select email, signed_in_at is not null as has_signed_in from users
    where role = 'admin' and disabled_at is null order by email for update`.execute(transaction)
  return rows
}

/**
 * Checks that someone else can administer if this user is an admin. An admin who never signed in may be a typo, unless
 * ADMIN_EMAILS names them or they are the caller.
 */
function requireOtherAdmin(
  admins: readonly Admin[],
  email: string,
  settings: AdminSettings,
  caller: string | undefined,
): void {
  if (!admins.some((admin) => admin.email === email)) return
  const others = admins.filter((admin) => admin.email !== email && isAllowed(admin.email, settings))
  const hasAccess = (admin: Admin) =>
    admin.has_signed_in || admin.email === caller || settings.adminEmails.includes(admin.email)
  if (others.some(hasAccess)) return
  const advice =
    others.length === 0
      ? 'Make another user an admin first.'
      : `${others.map((admin) => admin.email).join(', ')} must sign in first.`
  throw new Conflict(`${email} is the last admin who can sign in and is not disabled. ${advice}`)
}

function eventsOf(
  user_email: string,
  from: string,
  { role, disabled }: UserAccessPatch,
  session_ids: string[],
): AuditedEvent[] {
  const events: AuditedEvent[] = []
  if (role !== undefined) events.push({ event: 'role_changed', details: { user_email, from, to: role } })
  if (disabled === true) events.push({ event: 'user_disabled', details: { user_email, session_ids } })
  if (disabled === false) events.push({ event: 'user_enabled', details: { user_email } })
  return events
}

/** Transactions that commit later than this after their first statement could be missed until the next full reading. */
const OVERLAP = '2 minutes'

/**
 * Reads disabled users and roles, API keys, ended sessions, and erased addresses in one statement.
 * @param since the `read_at` of an earlier reading, to read only rows that changed since; some may have been read before
 */
export async function readAccessChanges(db: Db, since: string | undefined): Promise<AccessChanges> {
  const from = since === undefined ? undefined : sql`(${since}::timestamptz - interval '${sql.raw(OVERLAP)}')`
  const users = from ? sql`access_changed_at > ${from}` : sql`role <> 'member' or disabled_at is not null`
  const keys = from
    ? sql`access_changed_at > ${from}`
    : sql`revoked_at is null or revoked_at > now() - interval '7 days'`
  const sessions = from ? sql`ended_at > ${from}` : sql`ended_at is not null and expires_at > now()`
  const erased = from ? sql`started_at > ${from}` : sql`true`
  const { rows } = await sql<AccessChanges>`
    select now()::text as read_at,
      (select coalesce(json_agg(row_to_json(u)), '[]') from
        (select email, role, disabled_at is not null as is_disabled from users where ${users}) u) as users,
      (select coalesce(json_agg(row_to_json(k)), '[]') from
        (select id, hash, user_email, scopes, role, revoked_at is not null as is_revoked,
          ceil(extract(epoch from expires_at))::float8 as expires from api_keys where ${keys}) k) as keys,
      (select coalesce(json_agg(row_to_json(s)), '[]') from
        (select id, extract(epoch from expires_at)::float8 as expires from sessions where ${sessions}) s)
        as ended_sessions,
      (select coalesce(json_agg(row_to_json(e)), '[]') from
        (select pseudonym, address_hash from erasures where address_hash is not null and ${erased}) e) as erased`.execute(
    db,
  )
  return rows[0] as AccessChanges
}
