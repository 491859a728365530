import type { Response } from 'undici'
import { firstBytes } from '#src/platform/network/read-limited.ts'
import {
  createGuardedAgent,
  type Guard,
  parsePublicUrl,
  publicInternet,
  WebsiteError,
} from '#src/platform/network/website-guard.ts'
import {
  createRobotsRules,
  type RobotsRules,
  RobotsUnavailable,
} from '#src/platform/network/website-robots.ts'
import { fetchFollowingRedirects, type Visit } from '#src/platform/network/website-visit.ts'
import { iconLinks } from './icon-links.ts'

const FETCH_TIMEOUT_MS = 15_000
const MAX_PAGE_BYTES = 512 * 1024
const MAX_ICON_BYTES = 1024 * 1024
const MAX_TRIED_ICONS = 4

/** Overrides for tests that serve their own websites. */
export interface IconReaderOptions extends Partial<Guard> {
  timeoutMs?: number
}

/**
 * Makes a small PNG of an image; null if it cannot be decoded.
 * @throws if the signal ends it
 */
export type ConvertIcon = (bytes: Buffer, signal: AbortSignal) => Promise<Buffer | null>

/**
 * Fetches the icon of a website as PNG: public http and https addresses only, respecting `robots.txt`, within 15 seconds.
 * @returns null if the website has none that can be used
 * @throws if the website cannot be read now
 */
export type FetchIcon = (origin: string, stopped: AbortSignal) => Promise<Buffer | null>

/** Creates a reader of icons. It keeps no connections open between websites. */
export function createIconReader(
  convert: ConvertIcon,
  { timeoutMs = FETCH_TIMEOUT_MS, ...overrides }: IconReaderOptions = {},
): FetchIcon {
  const guard = { ...publicInternet, ...overrides }
  const robots = createRobotsRules()
  return async (origin, stopped) => {
    const agent = await createGuardedAgent(guard)
    const signal = AbortSignal.any([stopped, AbortSignal.timeout(timeoutMs)])
    try {
      return await new IconVisit({ guard, agent, signal }, robots, convert).read(origin)
    } finally {
      await agent.destroy()
    }
  }
}

/** A link that is not allowed is no reason to try again. */
const isRefusal = (error: unknown): boolean =>
  error instanceof WebsiteError && !(error instanceof RobotsUnavailable)

/** Besides 5xx: timeout, too early, too many requests. */
const TEMPORARY = [408, 425, 429]
const isTemporary = ({ status }: Response): boolean => status >= 500 || TEMPORARY.includes(status)

class IconVisit {
  readonly #visit: Visit
  readonly #robots: RobotsRules
  readonly #convert: ConvertIcon

  constructor(visit: Visit, robots: RobotsRules, convert: ConvertIcon) {
    this.#visit = visit
    this.#robots = robots
    this.#convert = convert
  }

  async read(origin: string): Promise<Buffer | null> {
    const { addresses, error: pageError } = await this.#candidates(`${origin}/`)
    let lastError: unknown = pageError
    for (const address of [...new Set(addresses)].slice(0, MAX_TRIED_ICONS)) {
      const icon = await this.#readIcon(address).catch((error: unknown) => {
        if (!(isRefusal(error) || isRefusal((error as Error).cause))) lastError = error
        return null
      })
      if (icon) return icon
      this.#visit.signal.throwIfAborted()
    }
    if (lastError) throw lastError
    return null
  }

  /** The addresses of the icons that the page links to, and the usual one. After an error, only the usual one is known. */
  async #candidates(address: string): Promise<{ addresses: string[]; error?: Error }> {
    const { url, response } = await this.#fetch(address)
    const usual = new URL('/favicon.ico', url).href
    const isHtml = /^(?:text\/html|application\/xhtml\+xml)\b/i.test(
      response.headers.get('content-type') ?? '',
    )
    if (!response.ok || !isHtml) {
      await response.body?.cancel()
      const error = new Error(`The page responded with status ${response.status}.`)
      return { addresses: [usual], ...(isTemporary(response) && { error }) }
    }
    const html = (await firstBytes(response, MAX_PAGE_BYTES)).toString()
    return { addresses: [...iconLinks(html, url).slice(0, MAX_TRIED_ICONS - 1), usual] }
  }

  /** The content says what an icon is. Its media type and its name are often wrong. */
  async #readIcon(address: string): Promise<Buffer | null> {
    const { response } = await this.#fetch(address)
    if (isTemporary(response)) throw new Error(`The icon responded with status ${response.status}.`)
    const isTooLarge = Number(response.headers.get('content-length') ?? 0) > MAX_ICON_BYTES
    if (!response.ok || isTooLarge) {
      await response.body?.cancel()
      return null
    }
    const bytes = await firstBytes(response, MAX_ICON_BYTES + 1)
    return bytes.length > MAX_ICON_BYTES ? null : this.#convert(bytes, this.#visit.signal)
  }

  #fetch(address: string): Promise<{ url: URL; response: Response }> {
    const url = parsePublicUrl(this.#visit.guard, address)
    return fetchFollowingRedirects(url, this.#visit, (hop) => this.#robots.check(hop, this.#visit))
  }
}
