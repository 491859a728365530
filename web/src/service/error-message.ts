import { ApiError, ServiceUnreachable, TooManyRequests } from '#src/client/errors.ts'
import { strings } from '#strings/general.ts'

/** An error whose message is written for the user. */
export class UserFacingError extends Error {}

/** The sentence that tells the user what went wrong. */
export function errorMessage(error: unknown): string {
  if (error instanceof ServiceUnreachable) return strings.unreachable
  if (error instanceof TooManyRequests) return strings.tooManyRequests
  if (error instanceof ApiError) return error.details
  if (error instanceof UserFacingError) return error.message
  return strings.unexpected
}
