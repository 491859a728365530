import { lookup as dnsLookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import type { Agent } from 'undici'
import { isPublicAddress } from './addresses.ts'

/** A page that cannot be read. The message is a sentence for analysts and contains no internal detail. */
export class WebsiteError extends Error {}

/** Decides which hosts may be connected to. */
export interface Guard {
  /** Whether connections to this IP address are allowed. */
  isAllowed(address: string): boolean
  isAllowedPort(port: number): boolean
  /** The IP addresses of a host name. */
  lookup(name: string): Promise<string[]>
}

const PORTS = [80, 443, 8080, 8443]
/** With a hostile robots.txt, matching takes time that grows with the length of the URL. */
const MAX_URL_CHARACTERS = 1000
/** Reserved names (RFC 2606, 6761, 6762, 7686, 8375, 9476) and the usual names in private networks. */
const RESERVED =
  /(?:^|\.)(?:example|test|invalid|localhost|local|localdomain|internal|intranet|lan|home\.arpa|onion|alt)$/

export const publicInternet: Guard = {
  isAllowed: isPublicAddress,
  isAllowedPort: (port) => PORTS.includes(port),
  lookup: async (name) => (await dnsLookup(name, { all: true })).map(({ address }) => address),
}

/**
 * Parses a URL and checks that it is public. The IP addresses of its host name are checked on connection.
 * @param base the URL that a redirect is relative to
 * @throws {WebsiteError} if the URL is invalid or not allowed
 */
export function parsePublicUrl(guard: Guard, text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href)
  if (!url) throw new WebsiteError("The website's address is not valid.")
  if (url.href.length > MAX_URL_CHARACTERS) throw new WebsiteError("The website's address is too long.")
  if (!['http:', 'https:'].includes(url.protocol))
    throw new WebsiteError('The website is not on http or https.')
  if (url.username || url.password)
    throw new WebsiteError("The website's address contains a user name or password.")
  if (url.port && !guard.isAllowedPort(Number(url.port)))
    throw new WebsiteError(`The website uses port ${url.port}, which is not allowed.`)
  checkHost(guard, url.hostname)
  return url
}

function checkHost(guard: Guard, host: string): void {
  const address = host.replace(/^\[|\]$/g, '')
  const name = host.replace(/\.+$/, '')
  if (isIP(address) > 0) publicAddresses(guard, [address])
  else if (!name.includes('.') || RESERVED.test(name))
    throw new WebsiteError("The website's host name is not a public one.")
}

/** The allowed ones among a website's IP addresses. */
function publicAddresses(guard: Guard, addresses: string[]): string[] {
  const allowed = addresses.filter((address) => guard.isAllowed(address))
  if (allowed.length === 0) throw new WebsiteError("The website's address is not public.")
  return allowed
}

/**
 * Connects only to allowed IP addresses. It checks the addresses that it then connects to, so DNS rebinding has no
 * effect. A URL with an IP address causes no lookup: `parsePublicUrl` checks it.
 */
export async function createGuardedAgent(guard: Guard): Promise<Agent> {
  // Loaded when the first website is read, because it takes a tenth of the startup time.
  const { Agent } = await import('undici')
  const lookup: LookupFunction = (name, _options, answer) => {
    lookUpPublicAddresses(guard, name).then(
      (addresses) => answer(null, addresses),
      (error) => answer(error, []),
    )
  }
  return new Agent({ allowH2: false, connections: 1, connect: { lookup, autoSelectFamily: true } })
}

async function lookUpPublicAddresses(guard: Guard, name: string) {
  const addresses = publicAddresses(guard, await guard.lookup(name))
  return addresses.map((address) => ({ address, family: isIP(address) }))
}
