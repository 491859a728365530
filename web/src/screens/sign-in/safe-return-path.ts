/**
 * The path of an address within this service, to go on to after a sign-in; undefined: it leads elsewhere. Browsers take a
 * backslash for a slash and drop tabs, so /\evil.example is another site; /.//evil.example becomes //evil.example.
 * @param origin of this service
 */
export function safeReturnPath(address: unknown, origin: string): string | undefined {
  if (typeof address !== 'string' || !URL.canParse(address, origin)) return undefined
  const { origin: leadsTo, pathname, search, hash } = new URL(address, origin)
  const isPage = /^\/(?![/\\]|api(?:\/|$))/i.test(pathname)
  return leadsTo === origin && isPage ? pathname + search + hash : undefined
}
