import type { Json } from './http/replies.ts'
import { ListPositions } from './list-positions.ts'
import { ListTotals, type Total } from './list-totals.ts'
import { RememberedWork } from './remembered-work.ts'
import { SharedWork } from './shared-work.ts'

/** How many match a search, and the page that was asked for; null when more match than the page may be taken from. */
export interface Matches extends Total {
  records: Json | null
}

/** How the records that pass the filters are distributed, as JSON. */
export interface Distribution {
  facets: Json
  version: number
}

const MOST_DISTRIBUTIONS = 200

/** What is remembered of a table's lists while nothing in the table changes. */
export class ListMemory {
  readonly totals = new ListTotals()
  readonly positions = new ListPositions()
  readonly searches = new SharedWork<Matches>()
  readonly distributions = new RememberedWork<Distribution>(MOST_DISTRIBUTIONS)
}
