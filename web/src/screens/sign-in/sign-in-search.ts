import { safeReturnPath } from './safe-return-path.ts'

/**
 * Names `return_to` in any case: the router keeps what was given where this leaves it out.
 * @param search what follows the ? of `/`
 */
export const signInSearch = (search: Record<string, unknown>): { return_to?: string | undefined } => ({
  return_to: safeReturnPath(search.return_to, location.origin),
})
