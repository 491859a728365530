import { safeReturnPath } from './safe-return-path.ts'

/**
 * Always sets `return_to`: the router would keep an invalid value that is left out.
 * @param search the query of `/`
 */
export const signInSearch = (search: Record<string, unknown>): { return_to?: string | undefined } => ({
  return_to: safeReturnPath(search.return_to, location.origin),
})
