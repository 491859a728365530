import { LRUCache } from 'lru-cache'
import { InvalidToken, type Session } from './session.ts'

const MAX_SESSIONS = 50_000

/**
 * Ends sessions that no one uses. Asks the database only for a session that this process has not seen for that long:
 * another process may have.
 * @param idleMs undefined: sessions end only when they expire
 * @param readLastSeen when a session was last used, in milliseconds since 1970; undefined if that is unknown
 * @returns throws InvalidToken for a session that has not been used for `idleMs`
 */
export function requireRecentUse(
  idleMs: number | undefined,
  readLastSeen: (id: string) => Promise<number | undefined>,
): (session: Session) => void | Promise<void> {
  if (idleMs === undefined) return () => {}
  const seen = new LRUCache<string, number>({ max: MAX_SESSIONS })
  return async ({ jti, iat }) => {
    if (jti === undefined) return
    const now = Date.now()
    if (now - (seen.get(jti) ?? 0) >= idleMs) {
      const lastSeen = (await readLastSeen(jti)) ?? iat * 1000
      if (now - Math.max(lastSeen, seen.get(jti) ?? 0) >= idleMs)
        throw new InvalidToken(`It was not used for ${idleMs / 3600_000} hours.`)
    }
    seen.set(jti, now)
  }
}
