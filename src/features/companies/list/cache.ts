import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Db } from '#src/platform/database/database.ts'
import type { Json } from '#src/platform/database/sql.ts'
import { singleFlight } from '#src/platform/single-flight.ts'

const MAX_TOTALS_BYTES = 4 * 1024 * 1024
const MAX_FACETS_BYTES = 8 * 1024 * 1024

/** The number of statements that have changed companies. With equal versions, the table has the same rows. */
export const version = sql`(
  select folded + (select count(*) from company_count_deltas) from company_changes)::float8`

/** The present version of the table. */
export async function readVersion(db: Db): Promise<number> {
  const { rows } = await sql<{ version: number }>`select ${version} as version`.execute(db)
  return rows[0]?.version ?? 0
}

/** Results by key, with the version they belong to. The least recently used ones are evicted first. */
export class VersionedCache<Result extends { version: number }> {
  readonly #results: LRUCache<string, Result>
  readonly #run = singleFlight<Result>()

  /** @param sizeOf the bytes of a result without its key */
  constructor(maxBytes: number, sizeOf: (result: Result) => number) {
    const sizeCalculation = (result: Result, key: string) => 2 * key.length + sizeOf(result)
    this.#results = new LRUCache({ maxSize: maxBytes, sizeCalculation })
  }

  /** The cached result, however old. */
  peek(key: string): Result | undefined {
    return this.#results.get(key)
  }

  /** A result that is at least as new as `minVersion`. Concurrent callers wait for one computation. */
  async get(key: string, minVersion: number, compute: () => Promise<Result>): Promise<Result> {
    for (;;) {
      const cached = this.#results.get(key)
      if (cached && cached.version >= minVersion) return cached
      let isOwn = false
      const computing = this.#run(key, () => {
        isOwn = true
        return compute()
      })
      // The request that another caller computes for may have been canceled.
      const result = await computing.catch((error) => {
        if (isOwn) throw error
      })
      if (result) this.set(key, result)
      if (result && isOwn) return result
    }
  }

  /** Keeps a result, unless a newer one is cached. */
  set(key: string, result: Result): void {
    if ((this.#results.peek(key)?.version ?? -1) <= result.version) this.#results.set(key, result)
  }
}

/** The exact number of companies in a list. */
export interface Total {
  total: number
  version: number
}

/** The facet counts of the companies in a list. */
export interface FacetCounts {
  facets: Json
  version: number
}

/** What a process keeps of lists until a company changes. */
export class ListCaches {
  readonly totals = new VersionedCache<Total>(MAX_TOTALS_BYTES, () => 100)
  readonly facets = new VersionedCache<FacetCounts>(MAX_FACETS_BYTES, ({ facets }) => 2 * facets.length)
}
