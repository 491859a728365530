import type { Config } from '#src/platform/config/config.ts'

export const SESSION_COOKIE = 'service_session'

/** The attributes of our cookies (contract, section 5). */
export const sessionCookie = ({ production }: Pick<Config, 'production'>) =>
  ({ path: '/', httpOnly: true, sameSite: 'lax', secure: production }) as const

const NO_COOKIES: ReadonlySet<string> = new Set()
const SESSION_COOKIES = /(?:^|;)\s*service_session=([^;]*)/g

/** The distinct values of the session cookie. There may be several, because pages of a sibling domain can set one too. */
export function readSessionCookies(header: string | undefined): ReadonlySet<string> {
  if (header === undefined) return NO_COOKIES
  const values = new Set<string>()
  for (const [, value = ''] of header.matchAll(SESSION_COOKIES)) if (value.trim()) values.add(value.trim())
  return values
}
