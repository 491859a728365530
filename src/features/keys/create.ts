import type { Context } from '#src/context.ts'
import { type AuditSource, recordAudit } from '#src/features/audit/index.ts'
import { InvalidInput } from '#src/platform/errors.ts'
import { includesRole, type Role, type Scope } from '#src/platform/http/security/permissions.ts'
import { hashKey, newKey, shownPrefix } from '#src/platform/identity/api-key.ts'
import { MissingPermission } from '#src/platform/identity/authorize.ts'
import type { User } from '#src/platform/identity/identity.ts'
import { newId } from '#src/platform/ids.ts'
import { type ApiKey, DEFAULT_KEY_DAYS, MAX_KEYS_PER_USER, type NewApiKey } from './schema.ts'
import * as store from './store.ts'

const DAY_MS = 24 * 3600_000

/**
 * Creates a key for the caller, and records that in the audit log.
 * @param source the request
 * @returns its record, and the key itself, which is not stored
 * @throws InvalidInput for a role above the caller's, a time in the past, and more than MAX_KEYS_PER_USER keys;
 * MissingPermission for scopes that the caller may not give
 */
export async function createKey(
  { access, authorize, config, db }: Pick<Context, 'access' | 'authorize' | 'config' | 'db'>,
  source: AuditSource,
  user: User,
  { name, scopes: sent, role = user.role, expires_at }: NewApiKey,
): Promise<ApiKey & { key: string }> {
  const scopes = [...new Set(sent)]
  if (config.enforceRoles || user.key) requireRole(user, role)
  if (scopes.includes('worker')) authorize(user, 'manage_users')
  const created_at = new Date()
  const expires = expiryOf(expires_at, created_at)
  if (user.key) requireLesser(user, scopes, expires)
  if ((await store.countKeys(db, user.email)) >= MAX_KEYS_PER_USER)
    throw new InvalidInput(`You have ${MAX_KEYS_PER_USER} keys, the most a user may have. Revoke one first.`)
  const key = newKey()
  const owned = { id: newId('key'), name: name.trim(), user_email: user.email, scopes, role }
  const secret = { prefix: shownPrefix(key), hash: hashKey(key) }
  const stored = { ...owned, ...secret, created_at, expires_at: expires }
  const record = await db.transaction().execute(async (transaction) => {
    const inserted = await store.insertKey(transaction, stored)
    await recordAudit(transaction, source, { event: 'key_created', details: detailsOf(stored) })
    return inserted
  })
  await access.applyChange()
  return { ...(JSON.parse(record) as ApiKey), key }
}

/** Without the key's name, which may be personal. */
const detailsOf = ({ id, user_email, prefix, scopes, role, expires_at }: store.KeyRecord) => ({
  ...{ key_id: id, user_email, prefix, scopes, role },
  expires_at: expires_at?.toISOString() ?? null,
})

function expiryOf(expires_at: string | null | undefined, now: Date): Date | null {
  if (expires_at === null) return null
  if (expires_at === undefined) return new Date(now.getTime() + DEFAULT_KEY_DAYS * DAY_MS)
  const expires = new Date(expires_at)
  if (expires > now) return expires
  throw new InvalidInput(`expires_at must be in the future or null, not ${expires_at}.`)
}

function requireRole(user: User, role: Role): void {
  if (!includesRole(user.role, role))
    throw new InvalidInput(`role must not be above your own role, which is ${user.role}; it is ${role}.`)
}

/** @throws MissingPermission if a key would get more than the key that creates it has */
function requireLesser(user: User, scopes: readonly Scope[], expires: Date | null): void {
  const missing = scopes.find((scope) => !user.scopes?.includes(scope))
  if (missing)
    throw new MissingPermission(
      'credentials',
      `This API key cannot create one with the scope ${missing}, which it does not have.`,
    )
  if (user.expires !== undefined && (expires === null || expires.getTime() > user.expires * 1000))
    throw new MissingPermission(
      'credentials',
      `This API key cannot create one that is valid for longer than itself. Set expires_at to ${new Date(user.expires * 1000).toISOString()} or before.`,
    )
}
