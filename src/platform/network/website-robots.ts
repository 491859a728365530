import { LRUCache } from 'lru-cache'
import robotsParserModule from 'robots-parser'
import { firstBytes } from './read-limited.ts'
import { WebsiteError } from './website-guard.ts'
import { fetchFollowingRedirects, TooManyRedirects, USER_AGENT, type Visit } from './website-visit.ts'

/** The types declare a default export, but the module itself is the function. */
const robotsParser = robotsParserModule as unknown as typeof robotsParserModule.default

const MAX_BYTES = 500 * 1024
const MAX_CACHED_CHARACTERS = 10_000_000
const CACHE_TTL_MS = 60 * 60 * 1000

/** Until it works again, everything is disallowed. */
export class RobotsUnavailable extends WebsiteError {}

export interface RobotsRules {
  /** @throws {WebsiteError} if `robots.txt` disallows the page or cannot be fetched */
  check(url: URL, visit: Visit): Promise<void>
}

/** Reads the `robots.txt` of websites (RFC 9309) and caches each for up to an hour. */
export function createRobotsRules(): RobotsRules {
  const cache = new LRUCache<string, string>({
    max: 500,
    maxSize: MAX_CACHED_CHARACTERS,
    sizeCalculation: (text) => text.length + 1,
    ttl: CACHE_TTL_MS,
  })
  return {
    async check(url, visit) {
      const address = new URL('/robots.txt', url)
      let text = cache.get(address.href)
      if (text === undefined) {
        text = await fetchRobotsText(address, visit)
        cache.set(address.href, text)
      }
      if (robotsParser(address.href, text).isDisallowed(url.href, USER_AGENT))
        throw new WebsiteError("The website's robots.txt disallows this page.")
    },
  }
}

/** A 4xx response or too many redirects means that everything is allowed (RFC 9309, section 2.3.1). */
async function fetchRobotsText(address: URL, visit: Visit): Promise<string> {
  try {
    const { response } = await fetchFollowingRedirects(address, visit)
    if (response.status >= 500)
      throw new RobotsUnavailable(
        `The website's robots.txt failed (${response.status}), so its pages are treated as disallowed.`,
      )
    const bytes = await firstBytes(response, MAX_BYTES)
    return response.ok ? withoutManyWildcards(new TextDecoder().decode(bytes)) : ''
  } catch (error) {
    if (error instanceof TooManyRedirects) return ''
    throw error
  }
}

const MAX_WILDCARDS = 3

/**
 * Matching a rule with many wildcards is slow. A Disallow rule is cut at its first wildcard, so it disallows more; an
 * Allow rule is dropped.
 */
const withoutManyWildcards = (text: string): string =>
  text.replace(/^[^\n#]*\*[^\n]*$/gmu, (line) => {
    if (line.split('*').length - 1 <= MAX_WILDCARDS) return line
    return /^\s*allow/iu.test(line) ? '' : (line.split('*')[0] ?? '')
  })
