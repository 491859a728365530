import type { CurrentUser } from './service.ts'

let email: string | null = null

/** The email address of the user this page was loaded for, or null. */
export const signedInEmail = (): string | null => email

/**
 * Reloads the page if another user has signed in in another tab: this page shows the previous user's data, and would
 * save changes in the new user's name.
 * @throws Error if the user has changed, while the page reloads
 */
export function reloadIfUserChanged(user: CurrentUser): CurrentUser {
  email ??= user.email
  if (user.email === email) return user
  location.reload()
  throw new Error('Someone else signed in.')
}
