import type { Json } from '#src/platform/database/sql.ts'
import { createMatchSetCache } from './match-sets.ts'
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

/** Caches of a table's lists. Totals and facets are valid until the table changes; sets of matches follow changes. */
export class ListCaches {
  readonly totals = new TotalCache()
  readonly searches = new SingleFlight<Matches>()
  readonly matchSets = createMatchSetCache()
  readonly facets = new VersionedCache<FacetCounts>({ max: MAX_CACHED_FACETS })
}
