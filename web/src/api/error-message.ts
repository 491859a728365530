import { ApiError, ServiceUnreachable, TooManyRequests } from '#src/client/errors.ts'
import { strings } from '#strings/general.ts'

/** An error whose message is written for the user. */
export class UserFacingError extends Error {}

const TOO_LONG = [414, 431]

/** Whether the address is too long for this app, the service, or a proxy before it. */
export const isAddressTooLong = (error: unknown): boolean =>
  error instanceof ApiError && TOO_LONG.includes(error.status)

/** The sentence that tells the user what went wrong. */
export function errorMessage(error: unknown): string {
  if (error instanceof ServiceUnreachable) return strings.unreachable
  if (error instanceof TooManyRequests) return strings.tooManyRequests
  if (isAddressTooLong(error)) return strings.addressTooLong
  if (error instanceof ApiError) return error.details
  if (error instanceof UserFacingError) return error.message
  return strings.unexpected
}
