import type { Agent, Response } from 'undici'
import { type Guard, parsePublicUrl, WebsiteError } from './website-guard.ts'

/** Also the name that robots.txt rules address us by. */
export const USER_AGENT = 'deal-pipeline'

/** What the requests for one page share. */
export interface Visit {
  guard: Guard
  /** Created from the guard. */
  agent: Agent
  signal: AbortSignal
}

export class TooManyRedirects extends WebsiteError {}

const REDIRECTS = [301, 302, 303, 307, 308]
const MAX_REDIRECTS = 5

/**
 * Fetches a page and follows up to five redirects. Each target is checked like the first URL.
 * @param before runs before each request, and may throw to prevent it
 * @throws {WebsiteError} for a redirect that is not allowed, and the errors of `fetch`
 */
export async function fetchFollowingRedirects(
  start: URL,
  { guard, agent, signal }: Visit,
  before: (url: URL) => Promise<void> = async () => {},
): Promise<{ url: URL; response: Response }> {
  const { fetch } = await import('undici')
  let url = start
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    await before(url)
    const response = await fetch(url, {
      dispatcher: agent,
      signal,
      redirect: 'manual',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      headers: { 'user-agent': USER_AGENT },
    })
    const location = REDIRECTS.includes(response.status) && response.headers.get('location')
    if (!location) return { url, response }
    await response.body?.cancel()
    url = parsePublicUrl(guard, location, url)
  }
  throw new TooManyRedirects(`The website redirects more than ${MAX_REDIRECTS} times.`)
}
