import { SharedWork } from './shared-work.ts'

/** A total, and the number of changes that the database had seen when it was counted. */
export interface Total {
  total: number
  version: number
}

const MOST_KNOWN = 2000

/**
 * Exact totals of lists, kept while nothing has changed. Whoever asks says how many changes they have seen;
 * an older total is counted again, once for all who wait for it.
 */
export class ListTotals {
  readonly #known = new Map<string, Total>()
  readonly #counting = new SharedWork<Total>()

  /** The last known total, however old. */
  peek(key: string): Total | undefined {
    return this.#known.get(key)
  }

  /** The total as of `version` changes or later. */
  async at(key: string, version: number, count: () => Promise<Total>): Promise<Total> {
    const known = this.#known.get(key)
    if (known && known.version >= version) return known
    const counted = await this.#counting.do(key, async () => version, count)
    this.remember(key, counted)
    return counted
  }

  /** Keeps a total that was counted along with something else. */
  remember(key: string, { total, version }: Total): void {
    if ((this.#known.get(key)?.version ?? -1) > version) return
    this.#known.delete(key)
    this.#known.set(key, { total, version })
    if (this.#known.size > MOST_KNOWN) this.#known.delete(this.#known.keys().next().value as string)
  }
}
