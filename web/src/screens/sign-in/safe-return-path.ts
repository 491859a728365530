/**
 * The path to return to after sign-in, or undefined if the address leads to another site. Browsers treat a backslash
 * as a slash and drop tabs, so /\evil.example is another site, and /.//evil.example becomes //evil.example.
 * @param origin of this service
 */
export function safeReturnPath(address: unknown, origin: string): string | undefined {
  if (typeof address !== 'string' || !URL.canParse(address, origin)) return undefined
  const { origin: target, pathname, search, hash } = new URL(address, origin)
  const isPage = /^\/(?![/\\]|api(?:\/|$))/i.test(pathname)
  return target === origin && isPage ? pathname + search + hash : undefined
}
