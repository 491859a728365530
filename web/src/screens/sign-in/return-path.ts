import { safeReturnPath } from './safe-return-path.ts'

const KEY = 'return_path'
/** Longer ones, such as views with many filters, do not fit in the cookie that the sign-in keeps them in. */
const MAX_LENGTH = 2000

/** The query of the sign-in page that leads back to this path. The tab keeps a long path itself. */
export function returnSearch(path: string): { return_to?: string } {
  sessionStorage.removeItem(KEY)
  if (path.length <= MAX_LENGTH) return { return_to: path }
  sessionStorage.setItem(KEY, path)
  return {}
}

/** The path after a sign-in without `return_to`: back to `/`, if this tab kept a long path. */
export const defaultReturnPath = (): string => (sessionStorage.getItem(KEY) === null ? '/home' : '/')

/** Returns the long path that this tab kept, once. */
export function takeReturnPath(): string | undefined {
  const path = sessionStorage.getItem(KEY)
  sessionStorage.removeItem(KEY)
  return safeReturnPath(path, location.origin)
}
