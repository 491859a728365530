import { InvalidInput } from '#src/platform/errors.ts'

/** The default page after a sign-in (contract, section 5). */
export const HOME = '/home'

/** Longer ones do not fit in the cookie of a sign-in, which browsers limit to 4,096 bytes. */
const MAX_LENGTH = 2000

/**
 * Checks the path to redirect to after a sign-in.
 * @throws InvalidInput for another site, for anything that browsers may treat as one, and for the API
 */
export function returnPath(input: string | undefined, publicUrl: string): string {
  if (input === undefined) return HOME
  // Browsers read a backslash as a slash and drop tabs and line breaks, so /\evil.example is another site.
  // And /.//evil.example becomes //evil.example.
  const isPath = /^\/[\x21-\x5b\x5d-\x7e]*$/.test(input) && URL.canParse(input, publicUrl)
  const address = isPath ? new URL(input, publicUrl) : undefined
  const isOurs =
    address?.origin === new URL(publicUrl).origin && /^\/(?!\/|api(?:\/|$))/i.test(address.pathname)
  if (!address || !isOurs)
    throw new InvalidInput('return_to must be a percent-encoded path on this service, such as /home.')
  const path = address.pathname + address.search + address.hash
  return path.length > MAX_LENGTH ? HOME : path
}
