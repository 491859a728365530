import { ownPath } from './own-path.ts'

/** @param search what follows the ? of `/` */
export function signInSearch(search: Record<string, unknown>): { return_to?: string } {
  const path = ownPath(search.return_to, location.origin)
  return path === undefined ? {} : { return_to: path }
}
