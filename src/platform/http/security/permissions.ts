/** The roles of users. Each has the permissions of those before it. */
export const ROLES = ['viewer', 'member', 'partner', 'admin'] as const
export type Role = (typeof ROLES)[number]

/** The role of users for whom none is stored, or one that this version does not know. */
export const DEFAULT_ROLE: Role = 'member'

/** What an API key may be used for. */
export const SCOPES = ['read', 'write', 'import', 'export', 'bulk', 'worker', 'admin'] as const
export type Scope = (typeof SCOPES)[number]

export interface Permission {
  /** The lowest role that has it; null: no role, the worker alone. */
  readonly role: Role | null
  /** An API key needs one of these scopes. With `worker` among them, the worker needs no role. */
  readonly scopes: readonly Scope[]
  /** What it allows, after "permission to". */
  readonly to: string
  /** Requests for more records than this need another permission in addition. */
  readonly beyond?: { readonly records: number; readonly action: string }
  /** The permission that is needed in addition for what belongs to another user. */
  readonly others?: string
  /** Whether a request needs a user even where roles are not enforced, because it is about that user. */
  readonly needsUser?: boolean
}

/**
 * Who may do what, in one table. Every route under `/api` and `/assets` names one of these actions as
 * `x-action`, or is open to everyone (`x-open`).
 */
export const PERMISSIONS = {
  read: { role: 'viewer', scopes: ['read', 'worker'], to: 'read records' },
  export: {
    role: 'viewer',
    scopes: ['export'],
    to: 'export records',
    beyond: { records: 10_000, action: 'export_unlimited' },
  },
  account: {
    role: 'viewer',
    scopes: ['write'],
    to: 'change your preferences and views, and send feedback',
    others: 'manage_users',
  },
  credentials: {
    role: 'viewer',
    scopes: ['admin'],
    to: 'manage your sessions, API keys, and calendar address',
    others: 'manage_users',
    needsUser: true,
  },
  write: {
    role: 'member',
    scopes: ['write'],
    to: 'create and change records',
    beyond: { records: 1000, action: 'write_unlimited' },
  },
  write_own: {
    role: 'member',
    scopes: ['write'],
    to: 'change your notes, decisions, tasks, and files',
    others: 'delete',
  },
  import: { role: 'member', scopes: ['import'], to: 'import records' },
  bulk: {
    role: 'member',
    scopes: ['bulk', 'worker'],
    to: 'start and change bulk actions',
    others: 'work',
  },
  export_unlimited: { role: 'partner', scopes: ['export'], to: 'export more than 10,000 records' },
  write_unlimited: { role: 'partner', scopes: ['bulk'], to: 'change more than 1,000 records at once' },
  bulk_unbudgeted: {
    role: 'partner',
    scopes: ['bulk'],
    to: 'use a language model without a token_budget',
  },
  delete: { role: 'partner', scopes: ['write'], to: 'delete and merge records' },
  configure: { role: 'partner', scopes: ['write'], to: 'manage fields, stages, and reasons' },
  manage_users: { role: 'admin', scopes: ['admin'], to: "manage users, and other users' sessions and keys" },
  cancel_others: { role: 'admin', scopes: ['bulk', 'worker'], to: "cancel other users' bulk actions" },
  purge: { role: 'admin', scopes: ['admin'], to: 'delete records for good' },
  personal_data: { role: 'admin', scopes: ['admin'], to: "export and erase contacts' personal data" },
  audit: { role: 'admin', scopes: ['admin'], to: 'read the audit log' },
  backup: { role: 'admin', scopes: ['admin'], to: 'make backups' },
  work: { role: null, scopes: ['worker'], to: 'report on bulk actions' },
} as const satisfies Record<string, Permission>

export type Action = keyof typeof PERMISSIONS

/** Every endpoint names its action, or needs neither a user in production nor a permission (`x-open`). */
export type EndpointAccess = { 'x-action': Action; 'x-open'?: never } | { 'x-open': true; 'x-action'?: never }

export const ACTIONS = Object.keys(PERMISSIONS) as readonly Action[]

/** The permission of an action. */
export const permissionOf = (action: Action): Permission => PERMISSIONS[action]

const rankOf = (role: Role): number => ROLES.indexOf(role)

/** Whether a role has at least the permissions of another. */
export const includesRole = (role: Role, other: Role): boolean => rankOf(role) >= rankOf(other)

/** The lower of two roles. */
export const lowerRole = (one: Role, other: Role): Role => (rankOf(one) < rankOf(other) ? one : other)

/** A stored role. Words that are no role, which older data may contain, count as member. */
export const roleOf = (stored: string | undefined): Role =>
  ROLES.find((role) => role === stored) ?? DEFAULT_ROLE
