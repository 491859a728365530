import { LRUCache } from 'lru-cache'
import { findTrashed } from '#src/features/trash/store.ts'
import type { Db } from '#src/platform/database/database.ts'

/** Less than a cached file may be out of date. */
const MAX_AGE_MS = 2000
const MAX_COMPANIES = 10_000

/** Returns a function that tells whether a company is in the trash. It remembers for two seconds that it is not. */
export function trashedCompanies(db: Db): (id: string) => boolean | Promise<boolean> {
  const visible = new LRUCache<string, true>({ max: MAX_COMPANIES, ttl: MAX_AGE_MS })
  return (id) =>
    visible.has(id)
      ? false
      : findTrashed(db, [id]).then((trashed) => {
          if (!trashed.has(id)) visible.set(id, true)
          return trashed.has(id)
        })
}
