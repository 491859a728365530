import { LRUCache } from 'lru-cache'
import type { Db } from '#src/platform/database/database.ts'
import { sharingStatements } from '#src/platform/database/shared-statements.ts'
import type { Json } from '#src/platform/database/sql.ts'
import { createMatchSetCache } from './match-sets.ts'
import { SingleFlight } from './single-flight.ts'
import { type Total, TotalCache } from './totals.ts'
import { readPageVersion } from './version.ts'
import { VersionedCache } from './versioned-cache.ts'

/** The number of matches of a search, and the requested page; null when there are too many matches to sort. */
export interface Matches extends Total {
  records: Json | null
}

/** The facet counts of the records that match some filters, as JSON. */
export interface FacetCounts {
  facets: Json
  version: number
}

/** A page as it is sent, and a version of pages that it is at least as new as. */
export interface CachedPage {
  body: Buffer
  version: number
}

const MAX_CACHED_FACETS = 200
const MAX_REQUESTED_PAGES = 2000
const MAX_CACHED_PAGES_BYTES = 32 * 1024 * 1024
const MAX_CACHED_PAGE_BYTES = 12 * 1024 * 1024

/**
 * Caches of a table's lists. Pages, totals, and facets are valid until the table changes; sets of matches follow changes.
 */
export class ListCaches {
  readonly pages = new VersionedCache<CachedPage>({
    maxSize: MAX_CACHED_PAGES_BYTES,
    maxEntrySize: MAX_CACHED_PAGE_BYTES,
    // The compressed page is kept with it.
    sizeCalculation: ({ body }) => 1000 + Math.ceil(1.5 * body.length),
  })
  /** The keys of pages that were requested. */
  readonly requestedPages = new LRUCache<string, true>({ max: MAX_REQUESTED_PAGES })
  /** A version that was read after the call. Concurrent calls share one reading. */
  readonly readPageVersion: () => Promise<number>
  readonly totals = new TotalCache()
  readonly searches = new SingleFlight<Matches>()
  readonly matchSets = createMatchSetCache()
  readonly facets = new VersionedCache<FacetCounts>({ max: MAX_CACHED_FACETS })

  constructor(db: Db) {
    const read = sharingStatements(
      async (callers: null[]) => {
        const version = await readPageVersion(db)
        return callers.map(() => version)
      },
      () => '',
    )
    this.readPageVersion = () => read(null)
  }
}
