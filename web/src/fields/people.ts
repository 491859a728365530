import { foldText } from '#src/client/limits.ts'
import { strings } from '#strings/fields.ts'
import type { User } from '#web/api/service.ts'

interface PersonOption {
  value: string
  label: string
}

/** A name made from an email address: `ada.beck@example.com` becomes `Ada Beck`. */
export const nameFromEmail = (email: string): string =>
  email
    .replace(/@.*$/, '')
    .split(/[._-]+/)
    .filter(Boolean)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join(' ') || email

/** The name of a user, whose address may be all that is known. */
export const personName = (email: string, users: readonly User[] = []): string =>
  users.find((user) => user.email === email)?.name || nameFromEmail(email)

/**
 * The people to choose from: the signed-in user first, then the others by name. Disabled users are left out, except the
 * one who is chosen already.
 */
export function personOptions(
  users: readonly User[],
  me: string | undefined,
  chosen: string | null,
): PersonOption[] {
  const emails = new Set(
    users.filter(({ disabled, email }) => !disabled || email === chosen).map(({ email }) => email),
  )
  if (chosen) emails.add(chosen)
  const others = [...emails]
    .filter((email) => email !== me)
    .map((email) => ({ value: email, label: personName(email, users) }))
    .toSorted((a, b) => a.label.localeCompare(b.label) || a.value.localeCompare(b.value))
  return me && emails.has(me) ? [{ value: me, label: strings.me(personName(me, users)) }, ...others] : others
}

/** Whether a name or email address contains a folded text. */
export const isPersonMatching = ({ value, label }: PersonOption, text: string): boolean =>
  foldText(value).includes(text) || foldText(label).includes(text)
