import { setTimeout as sleep } from 'node:timers/promises'
import { isDatabaseDown } from '#src/platform/database/errors.ts'
import { Unavailable } from '#src/platform/errors.ts'
import { type Role, roleOf, type Scope } from '#src/platform/http/security/permissions.ts'
import { withTimeout } from '#src/platform/process/with-timeout.ts'
import { type ErasedAddress, ErasedAddresses } from './erased-addresses.ts'

/** A user as the database stores it. */
export interface StoredUser {
  email: string
  role: string
  is_disabled: boolean
}

/** An API key as the database stores it. */
export interface StoredKey {
  id: string
  hash: string
  user_email: string
  scopes: Scope[]
  role: string
  /** Unix seconds; null: never. */
  expires: number | null
  is_revoked: boolean
}

export interface EndedSession {
  id: string
  /** Unix seconds. */
  expires: number
}

/** What changed about access since an earlier reading. Some of it may have been read before. */
export interface AccessChanges {
  /** The time of the reading, for the next one. */
  read_at: string
  users: StoredUser[]
  keys: StoredKey[]
  ended_sessions: EndedSession[]
  erased: ErasedAddress[]
}

export interface UserAccess {
  role: Role
  isDisabled: boolean
}

/** @param since the `read_at` of an earlier reading; undefined to read everything */
type ReadChanges = (since: string | undefined) => Promise<AccessChanges>

/** Users whose access is the default are not kept. */
const DEFAULT_ACCESS: UserAccess = { role: roleOf(undefined), isDisabled: false }
/** How long the state is used while the database cannot be read. Then no credential is accepted any more. */
const MAX_STALE_MS = 60_000
/** Reading everything also finds rows that were changed by hand, and forgets sessions that have expired. */
const FULL_READ_INTERVAL_MS = 60_000
const READ_TIMEOUT_MS = 5000
/** The minimum time between two readings that unknown keys cause. */
const UNKNOWN_KEY_INTERVAL_MS = 100

/**
 * Ended sessions, API keys, and users' roles in memory, so that no request needs a query for them. `refresh` brings it
 * up to date with the changes that any process has committed; it is called every few hundred milliseconds, and after
 * each change of this process.
 */
export class AccessState {
  readonly #read: ReadChanges
  readonly #now: () => number
  #users = new Map<string, UserAccess>()
  /** By hash. */
  #keys = new Map<string, StoredKey>()
  #endedSessions = new Map<string, number>()
  readonly #erased = new ErasedAddresses()
  /** Sessions that this process ended, which the database may not know yet. */
  readonly #endedHere = new Map<string, number>()
  readonly #listeners = new Set<() => void>()
  #since: string | undefined
  #readAt = Number.NEGATIVE_INFINITY
  #readAllAt = Number.NEGATIVE_INFINITY
  #reading: Promise<void> = Promise.resolve()
  #next: Promise<void> | undefined

  /** @param now a clock in milliseconds, for tests */
  constructor(read: ReadChanges, now: () => number = () => performance.now()) {
    this.#read = read
    this.#now = now
  }

  /**
   * Whether the state may be used.
   * @returns a promise before the first reading, which it starts
   * @throws Unavailable if it has not been read for a minute
   */
  whenUsable(): undefined | Promise<void> {
    if (this.#readAt === Number.NEGATIVE_INFINITY) return this.refresh().catch(refuse)
    if (this.#now() - this.#readAt > MAX_STALE_MS) refuse()
    return undefined
  }

  /** Reads changes. A call during a reading waits for the next one, which sees what was committed before the call. */
  refresh(): Promise<void> {
    this.#next ??= this.#reading
      .catch(() => {})
      .then(() => {
        this.#next = undefined
        this.#reading = this.#readChanges()
        return this.#reading
      })
    return this.#next
  }

  /** Makes a change that was just committed effective in this process. If that fails, the next regular reading does. */
  async applyChange(): Promise<void> {
    await this.refresh().catch(() => {})
  }

  /** Calls the listener after each change. Returns a function that removes it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  userOf(email: string): UserAccess {
    return this.#users.get(email) ?? DEFAULT_ACCESS
  }

  /** Whether the person with this address (in lower case) was erased, so that no credential counts any more. */
  isErased(email: string): boolean {
    return this.#erased.has(email)
  }

  /** Whether any user is an admin who can sign in; undefined before the first reading. */
  hasAdmin(): boolean | undefined {
    if (this.#readAt === Number.NEGATIVE_INFINITY) return undefined
    return [...this.#users.values()].some(({ role, isDisabled }) => role === 'admin' && !isDisabled)
  }

  isEnded(sessionId: string): boolean {
    return this.#endedSessions.has(sessionId) || this.#endedHere.has(sessionId)
  }

  /** Ends a session in this process before the database knows. */
  endSession({ id, expires }: EndedSession): void {
    this.#endedHere.set(id, expires)
    this.#notify()
  }

  keyOf(hash: string): StoredKey | undefined {
    return this.#keys.get(hash)
  }

  /** Finds a key that another process may just have created. Many unknown keys share a reading. */
  async findKey(hash: string): Promise<StoredKey | undefined> {
    const known = this.keyOf(hash)
    if (known) return known
    const wait = UNKNOWN_KEY_INTERVAL_MS - (this.#now() - this.#readAt)
    if (wait > 0) await sleep(wait)
    await this.refresh().catch(refuse)
    return this.keyOf(hash)
  }

  async #readChanges(): Promise<void> {
    const startedAt = this.#now()
    const isFull = startedAt - this.#readAllAt >= FULL_READ_INTERVAL_MS
    const changes = await withTimeout(READ_TIMEOUT_MS, this.#read(isFull ? undefined : this.#since))
    if (isFull) {
      this.#forgetAll()
      this.#readAllAt = startedAt
    }
    this.#apply(changes)
    this.#since = changes.read_at
    this.#readAt = startedAt
    const { users, keys, ended_sessions, erased } = changes
    if (users.length + keys.length + ended_sessions.length + erased.length > 0) this.#notify()
  }

  #forgetAll(): void {
    this.#users = new Map()
    this.#keys = new Map()
    this.#endedSessions = new Map()
    this.#erased.clear()
    for (const [id, expires] of this.#endedHere)
      if (expires * 1000 < Date.now() - FULL_READ_INTERVAL_MS) this.#endedHere.delete(id)
  }

  #apply({ users, keys, ended_sessions, erased }: AccessChanges): void {
    for (const { email, role, is_disabled } of users)
      this.#users.set(email, { role: roleOf(role), isDisabled: is_disabled })
    for (const key of keys) this.#keys.set(key.hash, key)
    for (const { id, expires } of ended_sessions) this.#endedSessions.set(id, expires)
    for (const address of erased) this.#erased.add(address)
  }

  #notify(): void {
    for (const listener of this.#listeners) listener()
  }
}

function refuse(cause?: unknown): never {
  throw new Unavailable(
    cause && isDatabaseDown(cause)
      ? 'The database cannot be reached. Try again in a moment.'
      : 'The database cannot be read, so it is unknown whether your access has ended. Try again in a moment.',
    { cause },
  )
}
