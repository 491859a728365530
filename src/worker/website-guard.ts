import { lookup as lookUp } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { Agent } from 'undici'
import { isPublicAddress } from '#src/platform/network/addresses.ts'

/** A page is not read. The message is a sentence for an analyst that leaks nothing. */
export class NotRead extends Error {}

/** What a website may be connected to. */
export interface Guard {
  /** Whether the IP address may be connected to. */
  isAllowed(address: string): boolean
  isAllowedPort(port: number): boolean
  /** The IP addresses of a name. */
  lookup(name: string): Promise<string[]>
}

const PORTS = [80, 443, 8080, 8443]
/** A hostile robots.txt can make the matching of its rules as slow as the address is long. */
const MAX_URL_CHARACTERS = 1000
/** Names that are not of the public Internet (RFC 2606, 6761, 6762, 7686, 8375, 9476), and what networks use inside. */
const RESERVED =
  /(?:^|\.)(?:example|test|invalid|localhost|local|localdomain|internal|intranet|lan|home\.arpa|onion|alt)$/

export const publicInternet: Guard = {
  isAllowed: isPublicAddress,
  isAllowedPort: (port) => PORTS.includes(port),
  lookup: async (name) => (await lookUp(name, { all: true })).map(({ address }) => address),
}

/**
 * The address of a page, if it may be asked for. What a name resolves to is checked when it is connected to.
 * @param base what a redirect's address is relative to
 * @throws {NotRead}
 */
export function checkedUrl(guard: Guard, text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href)
  if (!url) throw new NotRead("The website's address is not valid.")
  if (url.href.length > MAX_URL_CHARACTERS) throw new NotRead("The website's address is too long.")
  if (!['http:', 'https:'].includes(url.protocol))
    throw new NotRead('Only http and https addresses are read.')
  if (url.username || url.password)
    throw new NotRead('An address with a user name or a password in it is not read.')
  if (url.port && !guard.isAllowedPort(Number(url.port)))
    throw new NotRead(`The website's address has port ${url.port}, which is not one of a public website.`)
  checkHost(guard, url.hostname)
  return url
}

function checkHost(guard: Guard, host: string): void {
  const address = host.replace(/^\[|\]$/g, '')
  const name = host.replace(/\.+$/, '')
  if (isIP(address) > 0) allowedOf(guard, [address])
  else if (!name.includes('.') || RESERVED.test(name))
    throw new NotRead("The website's name is not one of the public Internet.")
}

/** The ones of a website's addresses that may be connected to. */
function allowedOf(guard: Guard, addresses: string[]): string[] {
  const allowed = addresses.filter((address) => guard.isAllowed(address))
  if (allowed.length === 0) throw new NotRead("The website's address is not public.")
  return allowed
}

/**
 * Connects to allowed addresses only: the ones that a name is found to have are the ones that are connected to, so
 * that a name whose address changes between check and connection gains nothing. IP addresses in the place of a name
 * are not looked up: `checkedUrl` checks them.
 */
export function guardedAgent(guard: Guard): Agent {
  const lookup: LookupFunction = (name, _options, answer) => {
    allowedAddresses(guard, name).then(
      (addresses) => answer(null, addresses),
      (error) => answer(error, []),
    )
  }
  return new Agent({ allowH2: false, connections: 1, connect: { lookup, autoSelectFamily: true } })
}

async function allowedAddresses(guard: Guard, name: string) {
  const addresses = allowedOf(guard, await guard.lookup(name))
  return addresses.map((address) => ({ address, family: isIP(address) }))
}
