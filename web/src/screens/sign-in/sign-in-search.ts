import { ownPath } from './own-path.ts'

/**
 * Names `return_to` in any case: the router keeps what was given where this leaves it out.
 * @param search what follows the ? of `/`
 */
export const signInSearch = (search: Record<string, unknown>): { return_to?: string | undefined } => ({
  return_to: ownPath(search.return_to, location.origin),
})
