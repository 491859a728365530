import type { DateOrder } from '../schema.ts'
import { parseDate, possibleOrders } from './dates.ts'

/** What a column's cells show about the order of day, month, and year. */
export class DateEvidence {
  readonly #proven: Record<DateOrder, number> = { dmy: 0, mdy: 0, ymd: 0 }
  #hasOpen = false
  #hasDots = false

  add(text: string): void {
    const date = parseDate(text)
    if (!date || 'day' in date) return
    const [order, ...others] = possibleOrders(date)
    if (!order) return
    if (others.length === 0) this.#proven[order]++
    else if (date.separator === '.') this.#hasDots = true
    else if (date.parts[0] !== date.parts[1]) this.#hasOpen = true
  }

  /** The order of the column, and whether a person has to choose it. */
  order(): { order: DateOrder | null; isOpen: boolean } {
    const counts = Object.entries(this.#proven) as [DateOrder, number][]
    const [[order, most], [, second]] = counts.toSorted((a, b) => b[1] - a[1]) as [
      [DateOrder, number],
      [DateOrder, number],
    ]
    if (most > second) return { order, isOpen: second > 0 }
    if (most > 0) return { order: null, isOpen: true }
    return { order: this.#hasDots && !this.#hasOpen ? 'dmy' : null, isOpen: this.#hasOpen }
  }
}
