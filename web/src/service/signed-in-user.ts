import type { CurrentUser } from './service.ts'

let email: string | null = null

/** The e-mail address of the user whom this page was loaded for; null: nobody is signed in. */
export const signedInEmail = (): string | null => email

/**
 * Somebody else may have signed in in another tab: what is shown and typed here is not theirs, and what is saved here
 * would be saved in their name. The page is loaded again for them.
 */
export function reloadIfUserChanged(user: CurrentUser): CurrentUser {
  email ??= user.email
  if (user.email === email) return user
  location.reload()
  throw new Error('Somebody else has signed in.')
}
