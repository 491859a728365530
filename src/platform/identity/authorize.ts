import { Forbidden, Unauthenticated } from '#src/platform/errors.ts'
import {
  ACTIONS,
  type Action,
  includesRole,
  permissionOf,
  ROLES,
  type Role,
  type Scope,
} from '#src/platform/http/security/permissions.ts'

/** What decides about a caller's permissions. */
export interface Principal {
  /** In lower case. */
  readonly email: string
  /** Of an API key: its own role or its owner's, whichever is lower. */
  readonly role: Role
  /** Of an API key; undefined for other credentials, which have all. */
  readonly scopes?: readonly Scope[] | undefined
  readonly isWorker: boolean
}

/** What an action is about, where that matters. */
export interface Resource {
  /** The email address of the user it belongs to; null if it belongs to no one. */
  readonly owner?: string | null
  /** The number of records that a request exports or changes. */
  readonly records?: number
}

/** The caller lacks a permission. */
export class MissingPermission extends Forbidden {
  readonly action: Action

  constructor(action: Action, details: string) {
    super(details)
    this.action = action
  }
}

/**
 * Checks that a caller may take an action.
 * @throws MissingPermission, and Unauthenticated without a caller where roles are enforced
 */
export type Authorize = (principal: Principal | null, action: Action, resource?: Resource) => void

/**
 * @param enforceRoles whether roles and ownership count. Scopes of API keys, and what is reserved for the worker, always
 * do.
 */
export const createAuthorize =
  ({ enforceRoles }: { enforceRoles: boolean }): Authorize =>
  (principal, action, { owner, records = 0 } = {}) => {
    const { beyond, others } = permissionOf(action)
    requirePermission(principal, action, enforceRoles)
    if (beyond && records > beyond.records)
      requirePermission(principal, beyond.action as Action, enforceRoles)
    if (enforceRoles && others && owner !== undefined && owner !== principal?.email)
      requirePermission(principal, others as Action, enforceRoles, 'This belongs to another user. ')
  }

/** The actions that a caller may take with their own records, in small numbers. */
export function permittedActions(authorize: Authorize, principal: Principal): Action[] {
  return ACTIONS.filter((action) => {
    try {
      authorize(principal, action)
      return true
    } catch {
      return false
    }
  })
}

/** @param reason why this permission is needed, before the error's details */
function requirePermission(
  principal: Principal | null,
  action: Action,
  enforceRoles: boolean,
  reason = '',
): void {
  const { role, scopes, to, needsUser } = permissionOf(action)
  if (principal?.scopes && !principal.scopes.some((scope) => scopes.includes(scope)))
    throw new MissingPermission(
      action,
      `${reason}This API key needs the scope ${scopes.join(' or ')} for permission to ${to} (${action}). Its scopes: ${principal.scopes.join(', ') || 'none (worker counts only while its owner is an admin)'}.`,
    )
  if (principal?.isWorker && scopes.includes('worker')) return
  if (role === null)
    throw new MissingPermission(
      action,
      `${reason}Only the worker may do this (${action}): a worker token, or an API key of an admin with the scope worker, has permission to ${to}.`,
    )
  if (!principal && (enforceRoles || needsUser))
    throw new Unauthenticated('Sign in, or send a token (Authorization: Bearer …).')
  if (!principal || !enforceRoles) return
  if (!includesRole(principal.role, role))
    throw new MissingPermission(
      action,
      `${reason}You need permission to ${to} (${action}). Your role is ${principal.role}; needed: ${rolesFrom(role)}.`,
    )
}

const rolesFrom = (lowest: Role): string => ROLES.filter((role) => includesRole(role, lowest)).join(' or ')
