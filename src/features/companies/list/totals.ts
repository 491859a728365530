import { VersionedCache } from './versioned-cache.ts'

/** A total, and the table's version when it was counted. */
export interface Total {
  total: number
  version: number
}

const MAX_CACHED_TOTALS = 2000

/** Exact totals of lists. */
export class TotalCache extends VersionedCache<Total> {
  constructor() {
    super({ max: MAX_CACHED_TOTALS })
  }

  /** Stores only the total and its version: a caller may pass a larger object. */
  override set(key: string, { total, version }: Total): void {
    super.set(key, { total, version })
  }
}
