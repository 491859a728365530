import { MIMEType } from 'node:util'
import type { Response } from 'undici'
import { firstBytes } from '#src/platform/network/read-limited.ts'
import {
  createGuardedAgent,
  type Guard,
  parsePublicUrl,
  publicInternet,
  WebsiteError,
} from '#src/platform/network/website-guard.ts'
import { createRobotsRules, type RobotsRules } from '#src/platform/network/website-robots.ts'
import { fetchFollowingRedirects, type Visit } from '#src/platform/network/website-visit.ts'
import { truncate } from '#src/platform/truncate.ts'
import { pageText } from './website-text.ts'

export type WebsiteText =
  /** `url` is the one after redirects; `read_at` is an ISO time. */
  | { url: string; text: string; read_at: string }
  /** `reason` is a sentence for analysts. */
  | { url: string; reason: string }

export interface WebsiteReader {
  /**
   * Reads one page: public http and https addresses only, respecting `robots.txt`, within ten seconds.
   * @returns its text, up to 15,000 characters, or the reason why it could not be read
   * @throws the reason of the signal if it is aborted, and nothing else
   */
  read(url: string, stopped: AbortSignal): Promise<WebsiteText>
}

/** Overrides for tests that serve their own websites. */
export interface WebsiteReaderOptions extends Partial<Guard> {
  timeoutMs?: number
}

const READ_TIMEOUT_MS = 10_000
const MAX_BYTES = 2 * 1024 * 1024
const READABLE = ['text/html', 'application/xhtml+xml', 'text/plain']

/** Creates a reader of company websites. It keeps no connections open between pages. */
export function createWebsiteReader({
  timeoutMs = READ_TIMEOUT_MS,
  ...guard
}: WebsiteReaderOptions = {}): WebsiteReader {
  const robots = createRobotsRules()
  return {
    async read(url, stopped) {
      stopped.throwIfAborted()
      const fullGuard = { ...publicInternet, ...guard }
      const agent = await createGuardedAgent(fullGuard)
      const timeout = AbortSignal.timeout(timeoutMs)
      const visit: Visit = { guard: fullGuard, agent, signal: AbortSignal.any([stopped, timeout]) }
      try {
        return await readPage(url, visit, robots)
      } catch (error) {
        stopped.throwIfAborted()
        if (!timeout.aborted) return { url, reason: explainError(error) }
        return { url, reason: `The website did not answer within ${timeoutMs / 1000} seconds.` }
      } finally {
        await agent.destroy()
      }
    },
  }
}

async function readPage(address: string, visit: Visit, robots: RobotsRules): Promise<WebsiteText> {
  const { url, response } = await fetchFollowingRedirects(
    parsePublicUrl(visit.guard, address),
    visit,
    (hop) => robots.check(hop, visit),
  )
  if (!response.ok) throw new WebsiteError(`The website responded with status ${response.status}.`)
  const type = requireReadableType(response)
  const text = pageText(await firstBytes(response, MAX_BYTES), type)
  if (!text) throw new WebsiteError('The page has no text.')
  return { url: url.href, text, read_at: new Date().toISOString() }
}

function requireReadableType(response: Response): MIMEType {
  const header = response.headers.get('content-type')
  const type = header ? mimeType(header) : undefined
  if (!type) throw new WebsiteError('The website sends no content type.')
  if (!READABLE.includes(type.essence))
    throw new WebsiteError(`The website is neither HTML nor plain text, but ${truncate(type.essence, 60)}.`)
  return type
}

function mimeType(header: string): MIMEType | undefined {
  try {
    return new MIMEType(header)
  } catch {
    return undefined
  }
}

/** `fetch` puts connection errors into `cause`. */
function explainError(error: unknown): string {
  const { cause } = error as Error
  if (error instanceof WebsiteError) return error.message
  if (cause instanceof WebsiteError) return cause.message
  return explainCode(String((cause as NodeJS.ErrnoException | undefined)?.code))
}

function explainCode(code: string): string {
  if (code === 'ENOTFOUND') return "The website's host name does not exist."
  if (/^EAI_/.test(code)) return "The website's host name could not be resolved."
  if (/^CERT_|_CERT|UNABLE_TO_/.test(code)) return "The website's certificate could not be verified."
  if (/^(?:ERR_SSL_|EPROTO)/.test(code)) return 'A secure connection to the website could not be made.'
  if (/^(?:UND_ERR_SOCKET|ECONNRESET|EPIPE)$/.test(code)) return 'The website closed the connection.'
  if (/^(?:E[A-Z]+|UND_ERR_CONNECT_TIMEOUT)$/.test(code)) return 'The website could not be reached.'
  return "The website's response could not be read."
}
