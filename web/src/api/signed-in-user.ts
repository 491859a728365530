import type { CurrentUser } from './service.ts'

let email: string | null = null

/** The email address of the user this page was loaded for, or null. */
export const signedInEmail = (): string | null => email

/**
 * Reloads the page if someone else has signed in in another tab: what is shown here is not theirs, and changes would
 * be saved under their name.
 */
export function reloadIfUserChanged(user: CurrentUser): CurrentUser {
  email ??= user.email
  if (user.email === email) return user
  location.reload()
  throw new Error('Someone else signed in.')
}
