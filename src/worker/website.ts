import { MIMEType } from 'node:util'
import type { Response } from 'undici'
import { firstBytes } from '#src/platform/network/read-limited.ts'
import { checkedUrl, type Guard, guardedAgent, NotRead, publicInternet } from './website-guard.ts'
import { createRobotsRules, type RobotsRules } from './website-robots.ts'
import { pageText } from './website-text.ts'
import { follow, type Visit } from './website-visit.ts'

export type WebsiteText =
  /** `url` is the one after redirects, `read_at` an ISO time. */
  | { url: string; text: string; read_at: string }
  /** `reason` is a sentence for an analyst. */
  | { url: string; reason: string }

export interface WebsiteReader {
  /**
   * Reads one page, as a guest of it: public http(s) addresses only, `robots.txt` respected, ten seconds in all.
   * @returns its text, up to 15,000 characters, or why it was not read
   * @throws the signal's reason, and nothing else
   */
  read(url: string, stopped: AbortSignal): Promise<WebsiteText>
}

/** What tests read websites of their own with. */
export interface WebsiteReaderOptions extends Partial<Guard> {
  milliseconds?: number
}

const READ_TIMEOUT_MS = 10_000
const MAX_BYTES = 2 * 1024 * 1024
const READABLE = ['text/html', 'application/xhtml+xml', 'text/plain']

/** A reader of companies' websites; it keeps nothing open between pages. */
export function createWebsiteReader({
  milliseconds = READ_TIMEOUT_MS,
  ...guard
}: WebsiteReaderOptions = {}): WebsiteReader {
  const robots = createRobotsRules()
  return {
    async read(url, stopped) {
      stopped.throwIfAborted()
      const late = AbortSignal.timeout(milliseconds)
      const visit = visitOf({ ...publicInternet, ...guard }, AbortSignal.any([stopped, late]))
      try {
        return await readPage(url, visit, robots)
      } catch (error) {
        stopped.throwIfAborted()
        if (!late.aborted) return { url, reason: reasonOf(error) }
        return { url, reason: `The website did not answer within ${milliseconds / 1000} seconds.` }
      } finally {
        await visit.agent.destroy()
      }
    },
  }
}

const visitOf = (guard: Guard, signal: AbortSignal): Visit => ({ guard, agent: guardedAgent(guard), signal })

async function readPage(address: string, visit: Visit, robots: RobotsRules): Promise<WebsiteText> {
  const { url, response } = await follow(checkedUrl(visit.guard, address), visit, (hop) =>
    robots.check(hop, visit),
  )
  if (!response.ok) throw new NotRead(`The website answered with ${response.status}.`)
  const type = readableType(response)
  const text = pageText(await firstBytes(response, MAX_BYTES), type)
  if (!text) throw new NotRead('The page has no text.')
  return { url: url.href, text, read_at: new Date().toISOString() }
}

function readableType(response: Response): MIMEType {
  const header = response.headers.get('content-type')
  const type = header ? mimeType(header) : undefined
  if (!type) throw new NotRead('The website does not say what kind of content its page is.')
  if (!READABLE.includes(type.essence))
    throw new NotRead(`The website's content is of the type ${type.essence.slice(0, 60)}, which is not read.`)
  return type
}

function mimeType(header: string): MIMEType | undefined {
  try {
    return new MIMEType(header)
  } catch {
    return undefined
  }
}

/** `fetch` wraps what went wrong at the connection. */
function reasonOf(error: unknown): string {
  const { cause } = error as Error
  if (error instanceof NotRead) return error.message
  if (cause instanceof NotRead) return cause.message
  return explain(String((cause as NodeJS.ErrnoException | undefined)?.code))
}

function explain(code: string): string {
  if (code === 'ENOTFOUND') return "The website's name is not known."
  if (/^EAI_/.test(code)) return "The website's name could not be looked up."
  if (/^CERT_|_CERT|UNABLE_TO_/.test(code)) return "The website's certificate could not be verified."
  if (/^(?:ERR_SSL_|EPROTO)/.test(code)) return 'A secure connection to the website could not be made.'
  if (/^(?:UND_ERR_SOCKET|ECONNRESET|EPIPE)$/.test(code)) return 'The website broke the connection off.'
  if (/^(?:E[A-Z]+|UND_ERR_CONNECT_TIMEOUT)$/.test(code)) return 'The website could not be reached.'
  return 'The website gave an answer that cannot be read.'
}
