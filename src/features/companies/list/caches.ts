import type { Json } from '#src/platform/database/sql.ts'
import { PositionCache } from './positions.ts'
import { SingleFlight } from './single-flight.ts'
import { type Total, TotalCache } from './totals.ts'
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

const MAX_CACHED_FACETS = 200

/** Caches of a table's lists. An entry is valid until the table changes. */
export class ListCaches {
  readonly totals = new TotalCache()
  readonly positions = new PositionCache()
  readonly searches = new SingleFlight<Matches>()
  readonly facets = new VersionedCache<FacetCounts>(MAX_CACHED_FACETS)
}
