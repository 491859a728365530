import { BlockList, isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '::1', '[::1]'])

/** Whether the host is this machine itself. */
export const isLoopbackHost = (host: string): boolean => LOOPBACK_HOSTS.has(host.toLowerCase())

/** Whether the text is an absolute http(s) address with a host. */
export const isWebAddress = (text: string): boolean =>
  /^https?:\/\/[^\s/?#]/i.test(text) && !/\s/.test(text) && URL.canParse(text)

/** Whether what is sent to this web address cannot be read on the way: https, or a server on this machine. */
export const isProtectedAddress = (address: string): boolean =>
  isWebAddress(address) && (/^https:/i.test(address) || isLoopbackHost(new URL(address).hostname))

/** Whether the text is an IP address, or one with the length of its prefix, such as `10.0.0.0/8`. */
export function isNetwork(text: string): boolean {
  const [, address = '', prefix = '32'] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  return isIP(address) > 0 && Number(prefix) >= 1 && Number(prefix) <= (isIP(address) === 4 ? 32 : 128)
}

const thisMachine = new BlockList()
thisMachine.addSubnet('127.0.0.0', 8)
thisMachine.addAddress('::1', 'ipv6')

/** Whether a connection from this IP address comes from this machine. */
export const isThisMachine = (address: string): boolean =>
  isIP(address) > 0 && thisMachine.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')
/** How a network without IPv4 reaches an IPv4 address, which is its last 32 bits (RFC 6052). */
const TRANSLATED = ipaddr.IPv6.parseCIDR('64:ff9b::/96')
/** Looks public, and is what Azure gives each machine of its own. */
const AZURE_HOST = '168.63.129.16'

/**
 * Whether the IP address is a server's on the public Internet: no private, local, shared, reserved or multicast one,
 * and none that stands for such a one (IPv4-mapped, NAT64; 6to4 and Teredo are refused altogether).
 * @param text an IP address without brackets; anything else is not public
 */
export function isPublicAddress(text: string): boolean {
  // A zone (`%eth0`) is one of this machine's networks.
  if (isIP(text) === 0 || text.includes('%')) return false
  const address = ipaddr.process(text)
  if (address instanceof ipaddr.IPv4)
    return address.range() === 'unicast' && address.toString() !== AZURE_HOST
  if (address.match(TRANSLATED)) return isPublicAddress(address.toByteArray().slice(12).join('.'))
  return address.range() === 'unicast' && address.match(GLOBAL_UNICAST)
}

/**
 * What one subscriber has: an IPv4 address, or the /64 network of an IPv6 address (RFC 6177). Proxies may add a port.
 * @returns `unknown` for what is no address
 */
export function subscriberOf(text: string): string {
  const plain = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text
  if (isIP(plain) === 0) return 'unknown'
  const parsed = ipaddr.process(plain)
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString()
  const groups = parsed.parts.slice(0, 4).map((part) => part.toString(16))
  return `${groups.join(':')}::/64`
}
