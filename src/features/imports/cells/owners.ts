import { foldUserName, type UserReferences } from '#src/features/users/index.ts'
import { emailAddressesIn } from './email-addresses.ts'
import type { Reading } from './reading.ts'

const MAX_OWNER_LENGTH = 500

/**
 * Reads a user: an email address, also in `Ada Lovelace <ada@example.com>`, or a name that one user has.
 * @param field its name, for messages
 * @returns the email address
 */
export function readUser(text: string, users: UserReferences, field: string): Reading<string> {
  if (users.emails.has(text.toLowerCase())) return { value: text.toLowerCase() }
  if (text.length > MAX_OWNER_LENGTH) return { error: allowed(field) }
  const named = emailAddressesIn(text)
  if (named.length > 1) return { error: `${field} must be one user. The cell names several.` }
  const [email] = named
  if (email !== undefined) return users.emails.has(email) ? { value: email } : { error: allowed(field) }
  const found = usersNamed(text, users)
  if (found.length > 1) return { error: `${field}: several users have this name. Type the email address.` }
  return found[0] === undefined ? { error: allowed(field) } : { value: found[0] }
}

/** "Lovelace, Ada" is Ada Lovelace. */
function usersNamed(text: string, { byName }: UserReferences): readonly string[] {
  const [, last, first] = /^([^,;]+),\s*([^,;]+)$/.exec(text) ?? []
  return (
    byName.get(foldUserName(text)) ??
    (last && first ? byName.get(foldUserName(`${first} ${last}`)) : undefined) ??
    []
  )
}

const allowed = (field: string): string => `${field} must be the email address or the name of a user.`
