import { isAsciiEmailAddress } from '#src/platform/schema/email-address.ts'

export interface Allowlist {
  /** In lower case. */
  readonly allowedDomains: readonly string[]
  /** In lower case. */
  readonly allowedEmails: readonly string[]
}

/**
 * Whether this email address may sign in: its domain or the address itself must be on the allowlist. An empty
 * allowlist, as in development without a provider, allows everyone. Non-ASCII addresses are refused: some look like
 * others (Cyrillic а), and some change in lower case (the Kelvin sign becomes k).
 */
export function isAllowed(email: string, { allowedDomains, allowedEmails }: Allowlist): boolean {
  if (!isAsciiEmailAddress(email)) return false
  if (allowedDomains.length + allowedEmails.length === 0) return true
  const lower = email.toLowerCase()
  return allowedEmails.includes(lower) || allowedDomains.includes(lower.slice(lower.lastIndexOf('@') + 1))
}
