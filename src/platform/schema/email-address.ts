import { Type } from 'typebox'

export const EMAIL_PATTERN = '^[^\\s@<>()",;:\\\\]+@[^\\s@<>()",;:\\\\]+$'
const EMAIL = new RegExp(EMAIL_PATTERN)
const MAX_EMAIL_LENGTH = 254

/** Whether the text matches the pattern of `EmailAddress`. */
export const isEmailAddress = (text: string): boolean => text.length <= MAX_EMAIL_LENGTH && EMAIL.test(text)

/** Whether the text is an email address of printable ASCII characters. */
export const isAsciiEmailAddress = (text: string): boolean =>
  /^[\x21-\x7e]+$/.test(text) && isEmailAddress(text)

export const EmailAddress = Type.String({
  pattern: EMAIL_PATTERN,
  maxLength: MAX_EMAIL_LENGTH,
  description: 'An email address, not case sensitive.',
})

/** The address of a user, in lower case once it is stored. */
export const UserEmail = Type.String({
  ...EmailAddress,
  'x-normalize': 'email',
  description: 'The email address of a user, not case sensitive.',
})
