import { LRUCache } from 'lru-cache'
import { findTrashed, orTrashed, readMerged } from '#src/features/trash/index.ts'
import type { Db } from '#src/platform/database/database.ts'

/** Less than a cached file may be out of date. */
const MAX_AGE_MS = 2000
const MAX_COMPANIES = 10_000

/** The company, and those that are part of it, whose files it has if it has none of its own. */
export type Owners = readonly string[]

/**
 * Returns a function that looks up whose files a company has. It remembers them for two seconds.
 * @throws NotFound if the company is in the trash, Moved if it was merged
 */
export function fileOwners(db: Db): (id: string) => Owners | Promise<Owners> {
  const known = new LRUCache<string, Owners>({ max: MAX_COMPANIES, ttl: MAX_AGE_MS })
  return (id) =>
    known.get(id) ??
    readOwners(db, id).then((owners) => {
      known.set(id, owners)
      return owners
    })
}

async function readOwners(db: Db, id: string): Promise<Owners> {
  const [trashed, merged] = await Promise.all([findTrashed(db, [id]), readMerged(db, id)])
  await orTrashed(db, trashed.has(id) ? undefined : id, 'company', id)
  return [id, ...merged]
}
