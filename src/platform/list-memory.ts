import { ListPositions } from './list-positions.ts'
import { ListTotals } from './list-totals.ts'

/** What is remembered of a table's lists while nothing in the table changes. */
export class ListMemory {
  readonly totals = new ListTotals()
  readonly positions = new ListPositions()
}
