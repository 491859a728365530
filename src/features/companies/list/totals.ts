import { RememberedWork } from './versioned-cache.ts'

/** A total, and the number of changes that the database had seen when it was counted. */
export interface Total {
  total: number
  version: number
}

const MAX_CACHED_TOTALS = 2000

/**
 * Exact totals of lists, kept while nothing has changed. Whoever asks says how many changes they have seen;
 * an older total is counted again, once for all who wait for it.
 */
export class ListTotals extends RememberedWork<Total> {
  constructor() {
    super(MAX_CACHED_TOTALS)
  }

  override remember(key: string, { total, version }: Total): void {
    super.remember(key, { total, version })
  }
}
