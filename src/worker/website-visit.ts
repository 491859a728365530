import { type Agent, fetch, type Response } from 'undici'
import { checkedUrl, type Guard, NotRead } from './website-guard.ts'

/** What `robots.txt` knows us by, too. */
export const USER_AGENT = 'deal-pipeline'

/** The requests that the reading of one page takes. */
export interface Visit {
  guard: Guard
  /** Made for the guard. */
  agent: Agent
  signal: AbortSignal
}

export class TooManyRedirects extends NotRead {}

const REDIRECTS = [301, 302, 303, 307, 308]
const MAX_REDIRECTS = 5

/**
 * The answer to a GET after up to five redirects, each to an address that is checked as the first one was.
 * @param before runs before each request, and may throw to prevent it
 * @throws {NotRead} and what `fetch` throws
 */
export async function follow(
  start: URL,
  { guard, agent, signal }: Visit,
  before: (url: URL) => Promise<void> = async () => {},
): Promise<{ url: URL; response: Response }> {
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
    url = checkedUrl(guard, location, url)
  }
  throw new TooManyRedirects(`The website redirects more than ${MAX_REDIRECTS} times.`)
}
