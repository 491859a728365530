import { LRUCache } from 'lru-cache'
import { InvalidToken, type Session } from './session.ts'

const MAX_SESSIONS = 50_000

/**
 * Checks that a session has been used recently.
 * @param isAutomatic whether the request was sent without the user, so that it does not count as use
 * @returns when the session ends if it is not used before, in Unix seconds; undefined: when it expires
 * @throws InvalidToken if it has not been used for too long
 */
export type RequireRecentUse = (
  session: Session,
  isAutomatic: boolean,
) => number | undefined | Promise<number | undefined>

/**
 * Ends sessions that no one uses. Asks the database only for a session whose use this process has not seen for that long:
 * another process may have.
 * @param idleMs undefined: sessions end only when they expire
 * @param readLastSeen when a session was last used, in milliseconds since 1970; undefined if that is unknown
 */
export function requireRecentUse(
  idleMs: number | undefined,
  readLastSeen: (id: string) => Promise<number | undefined>,
): RequireRecentUse {
  if (idleMs === undefined) return () => undefined
  const seen = new LRUCache<string, number>({ max: MAX_SESSIONS })
  const lastUse = async ({ jti = '', iat }: Session, now: number): Promise<number> => {
    const known = seen.get(jti) ?? 0
    if (now - known < idleMs) return known
    const stored = (await readLastSeen(jti)) ?? iat * 1000
    return Math.max(stored, seen.get(jti) ?? 0)
  }
  return async (session, isAutomatic) => {
    const { jti } = session
    if (jti === undefined) return undefined
    const now = Date.now()
    const last = await lastUse(session, now)
    if (now - last >= idleMs) throw new InvalidToken(`It was not used for ${idleMs / 3600_000} hours.`)
    const used = isAutomatic ? Math.max(last, seen.get(jti) ?? 0) : now
    seen.set(jti, used)
    return (used + idleMs) / 1000
  }
}
