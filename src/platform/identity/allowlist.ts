import { isAsciiEmailAddress } from '#src/platform/schema/shapes.ts'

export interface Allowlist {
  /** In lower case. */
  readonly allowedDomains: readonly string[]
  /** In lower case. */
  readonly allowedEmails: readonly string[]
}

/**
 * Whether this e-mail address may sign in: its domain is exactly an allowed one, or it is allowed by itself; anyone
 * when nothing is listed, as in development without a provider. Addresses beyond ASCII may not: some look like others
 * (Cyrillic а), and some become others in lower case (the Kelvin sign becomes k).
 */
export function isAllowed(email: string, { allowedDomains, allowedEmails }: Allowlist): boolean {
  if (!isAsciiEmailAddress(email)) return false
  if (allowedDomains.length + allowedEmails.length === 0) return true
  const lower = email.toLowerCase()
  return allowedEmails.includes(lower) || allowedDomains.includes(lower.slice(lower.lastIndexOf('@') + 1))
}
