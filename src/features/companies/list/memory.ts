import type { Json } from '#src/platform/database/sql.ts'
import { ListPositions } from './positions.ts'
import { SharedWork } from './single-flight.ts'
import { ListTotals, type Total } from './totals.ts'
import { RememberedWork } from './versioned-cache.ts'

/** How many match a search, and the page that was asked for; null when more match than the page may be taken from. */
export interface Matches extends Total {
  records: Json | null
}

/** How the records that pass the filters are distributed, as JSON. */
export interface Distribution {
  facets: Json
  version: number
}

const MAX_DISTRIBUTIONS = 200

/** What is remembered of a table's lists while nothing in the table changes. */
export class ListMemory {
  readonly totals = new ListTotals()
  readonly positions = new ListPositions()
  readonly searches = new SharedWork<Matches>()
  readonly distributions = new RememberedWork<Distribution>(MAX_DISTRIBUTIONS)
}
