/** Holds the email address that identifies the user in development (contract, section 5). */
const KEY = 'service_dev_user_email'

export const developmentUser = (): string | null => localStorage.getItem(KEY)

export function chooseDevelopmentUser(email: string | null): void {
  if (email === null) localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, email)
}
