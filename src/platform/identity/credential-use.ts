import { LRUCache } from 'lru-cache'
import type { User } from './identity.ts'

/** A use of a session, which also creates its record if the sign-in could not. */
export interface SessionUse {
  id: string
  user_email: string
  /** Unix seconds. */
  created: number
  expires: number
  /** Milliseconds since 1970. */
  seen: number
  /** Whether a page sent the request without its user, so that it does not keep the session in use. */
  isAutomatic: boolean
  address: string
  browser: string | null
}

export interface KeyUse {
  id: string
  /** Milliseconds since 1970. */
  seen: number
  address: string
}

/** The end of a session that could not be stored at once. */
export interface SessionEnd {
  id: string
  user_email: string
  /** Unix seconds. */
  created: number
  expires: number
}

export interface Uses {
  sessions: SessionUse[]
  keys: KeyUse[]
  ends: SessionEnd[]
}

const noUses = (): Uses => ({ sessions: [], keys: [], ends: [] })

/** Each credential is written at most once per minute for its user, and once for its page. */
const INTERVAL_MS = 60_000
const MAX_CREDENTIALS = 50_000
const MAX_BROWSER_LENGTH = 300

/** Collects when and from where sessions and API keys were used, to be written in batches, and ends not yet stored. */
export class CredentialUses {
  readonly #recent = new LRUCache<string, true>({ max: MAX_CREDENTIALS, ttl: INTERVAL_MS })
  #pending = noUses()
  #flushing: Promise<void> = Promise.resolve()

  /** @param isAutomatic whether the request was sent without the user; makes no difference for a key */
  note(user: User, address: string, userAgent: string | undefined, isAutomatic: boolean): void {
    const id = user.session?.id ?? user.key?.id
    if (id === undefined) return
    const use = user.session && isAutomatic ? `${id} automatic` : id
    if (this.#recent.has(use)) return
    this.#recent.set(use, true)
    const seen = Date.now()
    if (user.key) this.#pending.keys.push({ id, seen, address })
    else if (user.session)
      this.#pending.sessions.push({
        ...user.session,
        user_email: user.email,
        seen,
        isAutomatic,
        address,
        browser: browserOf(userAgent),
      })
  }

  /** Keeps the end of a session until it can be stored. */
  noteEnd(end: SessionEnd): void {
    this.#pending.ends.push(end)
  }

  /** Passes what was collected to `write`, and keeps it if that fails. Waits for an earlier flush. */
  flush(write: (uses: Uses) => Promise<void>): Promise<void> {
    const flush = () => this.#flush(write)
    this.#flushing = this.#flushing.then(flush, flush)
    return this.#flushing
  }

  async #flush(write: (uses: Uses) => Promise<void>): Promise<void> {
    const uses = this.#pending
    if (uses.sessions.length + uses.keys.length + uses.ends.length === 0) return
    this.#pending = noUses()
    try {
      await write(uses)
    } catch (error) {
      const { sessions, keys, ends } = this.#pending
      this.#pending = {
        sessions: [...uses.sessions, ...sessions].slice(-MAX_CREDENTIALS),
        keys: [...uses.keys, ...keys].slice(-MAX_CREDENTIALS),
        ends: [...uses.ends, ...ends].slice(-MAX_CREDENTIALS),
      }
      throw error
    }
  }
}

/** The browser as it names itself. */
export const browserOf = (userAgent: string | undefined): string | null =>
  userAgent?.replace(/[^\x20-\x7e]/g, ' ').slice(0, MAX_BROWSER_LENGTH) || null
