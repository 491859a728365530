import { ApiError, DependencyUnavailable, ServiceUnreachable, TooManyRequests } from '#src/client/errors.ts'
import { strings as editing } from '#strings/editable-field.ts'
import { strings } from '#strings/general.ts'
import { ChangedMeanwhile } from '#web/editing/changed-meanwhile.ts'

/** An error as a sentence for the reader. */
export function explain(error: unknown): string {
  if (error instanceof ServiceUnreachable) return strings.unreachable
  if (error instanceof TooManyRequests) return strings.tooManyRequests
  if (error instanceof DependencyUnavailable || error instanceof ApiError) return error.details
  if (error instanceof ChangedMeanwhile) return editing.changedTitle
  return strings.unexpected
}
