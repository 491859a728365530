import { InvalidInput } from '#src/platform/errors.ts'

/** Where people go after a sign-in (contract, section 5). */
export const HOME = '/home'

/**
 * A path of our own to go on to after a sign-in.
 * @throws InvalidInput for the address of another site, for what a browser might take for one, and for the API
 */
export function returnPath(given: string | undefined, publicUrl: string): string {
  if (given === undefined) return HOME
  // Browsers take a backslash for a slash and drop tabs and line breaks, so /\evil.example is another site;
  // and /.//evil.example becomes //evil.example.
  const isPath = /^\/[\x21-\x5b\x5d-\x7e]*$/.test(given) && URL.canParse(given, publicUrl)
  const address = isPath ? new URL(given, publicUrl) : undefined
  const isOurs =
    address?.origin === new URL(publicUrl).origin && /^\/(?!\/|api(?:\/|$))/i.test(address.pathname)
  if (!address || !isOurs)
    throw new InvalidInput(
      'return_to must be the path of a page of this service, such as /home, percent-encoded.',
    )
  return address.pathname + address.search + address.hash
}
