import { LRUCache } from 'lru-cache'
import robotsParserModule from 'robots-parser'
import { firstBytes } from '#src/platform/network/read-limited.ts'
import { NotRead } from './website-guard.ts'
import { follow, TooManyRedirects, USER_AGENT, type Visit } from './website-visit.ts'

/** Its types tell of a default export where the module itself is the function. */
const robotsParser = robotsParserModule as unknown as typeof robotsParserModule.default

const MAX_BYTES = 500 * 1024
const MAX_CACHED_CHARACTERS = 10_000_000
const KEPT_MS = 60 * 60 * 1000

export interface RobotsRules {
  /** @throws {NotRead} if `robots.txt` does not allow the page to be read, or cannot be had */
  check(url: URL, visit: Visit): Promise<void>
}

/** The `robots.txt` of websites (RFC 9309), each kept for up to an hour. */
export function createRobotsRules(): RobotsRules {
  const kept = new LRUCache<string, string>({
    max: 500,
    maxSize: MAX_CACHED_CHARACTERS,
    sizeCalculation: (text) => text.length + 1,
    ttl: KEPT_MS,
  })
  return {
    async check(url, visit) {
      const address = new URL('/robots.txt', url)
      let text = kept.get(address.href)
      if (text === undefined) {
        text = await robotsText(address, visit)
        kept.set(address.href, text)
      }
      if (robotsParser(address.href, text).isDisallowed(url.href, USER_AGENT))
        throw new NotRead("The website's robots.txt does not allow the page to be read.")
    },
  }
}

/** What cannot be had for the client's fault (4xx), or behind too many redirects, forbids nothing (RFC 9309, 2.3.1). */
async function robotsText(address: URL, visit: Visit): Promise<string> {
  try {
    const { response } = await follow(address, visit)
    if (response.status >= 500)
      throw new NotRead(
        `The website's robots.txt answered with ${response.status}, so that none of its pages may be read.`,
      )
    const bytes = await firstBytes(response, MAX_BYTES)
    return response.ok ? simplified(new TextDecoder().decode(bytes)) : ''
  } catch (error) {
    if (error instanceof TooManyRedirects) return ''
    throw error
  }
}

const MAX_WILDCARDS = 3

/**
 * A rule with many wildcards takes the longer to compare the more there are: it is taken for its part before the first.
 * One that forbids forbids the more by that; one that allows is left out.
 */
const simplified = (text: string): string =>
  text.replace(/^[^\n#]*\*[^\n]*$/gmu, (line) => {
    if (line.split('*').length - 1 <= MAX_WILDCARDS) return line
    return /^\s*allow/iu.test(line) ? '' : (line.split('*')[0] ?? '')
  })
