import { BlockList, isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '::1', '[::1]'])

/** Whether the host name or IP address is the loopback interface. */
export const isLoopbackHost = (host: string): boolean => LOOPBACK_HOSTS.has(host.toLowerCase())

/** Whether the text is an absolute http(s) URL with a host. */
export const isWebUrl = (text: string): boolean =>
  /^https?:\/\/[^\s/?#]/i.test(text) && !/\s/.test(text) && URL.canParse(text)

/** Whether traffic to this URL is safe from eavesdropping: https, or a server on localhost. */
export const isSecureUrl = (address: string): boolean =>
  isWebUrl(address) && (/^https:/i.test(address) || isLoopbackHost(new URL(address).hostname))

/** Whether the text is an IP address, optionally with a prefix length, such as `10.0.0.0/8`. */
export function isNetwork(text: string): boolean {
  const [, address = '', prefix = '32'] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  return isIP(address) > 0 && Number(prefix) >= 1 && Number(prefix) <= (isIP(address) === 4 ? 32 : 128)
}

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8)
LOOPBACK.addAddress('::1', 'ipv6')

/** Whether this IP address is a loopback address. */
export const isLoopbackAddress = (address: string): boolean =>
  isIP(address) > 0 && LOOPBACK.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')
/** NAT64 addresses contain an IPv4 address in their last 32 bits (RFC 6052). */
const TRANSLATED = ipaddr.IPv6.parseCIDR('64:ff9b::/96')
/** A public-looking address that Azure assigns to the host of each virtual machine. */
const AZURE_HOST = '168.63.129.16'

/**
 * Whether the IP address is publicly routable: not private, local, shared, reserved or multicast, and not a mapping
 * of such an address (IPv4-mapped, NAT64). 6to4 and Teredo are always refused.
 * @param text an IP address without brackets; anything else is not public
 */
export function isPublicAddress(text: string): boolean {
  // A zone (`%eth0`) is a local network of this machine.
  if (isIP(text) === 0 || text.includes('%')) return false
  const address = ipaddr.process(text)
  if (address instanceof ipaddr.IPv4)
    return address.range() === 'unicast' && address.toString() !== AZURE_HOST
  if (address.match(TRANSLATED)) return isPublicAddress(address.toByteArray().slice(12).join('.'))
  return address.range() === 'unicast' && address.match(GLOBAL_UNICAST)
}

/**
 * The IP address in an entry of `X-Forwarded-For`, without the brackets and the port that some proxies write.
 * @returns undefined if there is none, as in `unknown`
 */
function forwardedAddress(text: string): string | undefined {
  const plain = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text
  return isIP(plain) === 0 ? undefined : plain
}

/**
 * The addresses in `X-Forwarded-For`, which proxies append to. What stands before an entry without an address, such as
 * `unknown`, comes from someone unknown, so it is left out.
 */
export function forwardedAddresses(header: string): string[] {
  const entries = header.split(',').map((entry) => entry.trim())
  const addresses = entries.filter((entry) => entry !== '').map(forwardedAddress)
  return addresses.slice(addresses.lastIndexOf(undefined) + 1) as string[]
}

/**
 * The part of an address that identifies one subscriber: an IPv4 address, or the /64 network of an IPv6 address (RFC
 * 6177). It may have a port.
 * @returns `unknown` if the text is not an IP address
 */
export function clientNetwork(text: string): string {
  const plain = forwardedAddress(text)
  if (plain === undefined) return 'unknown'
  const parsed = ipaddr.process(plain)
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString()
  const groups = parsed.parts.slice(0, 4).map((part) => part.toString(16))
  return `${groups.join(':')}::/64`
}
