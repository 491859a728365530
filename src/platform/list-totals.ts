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
  readonly #counting = new Map<string, Promise<Total>>()

  /** The last known total, however old. */
  peek(key: string): Total | undefined {
    return this.#known.get(key)
  }

  /** The total as of `version` changes or later. */
  async at(key: string, version: number, count: () => Promise<Total>): Promise<Total> {
    for (;;) {
      const known = this.#known.get(key)
      if (known && known.version >= version) return known
      // A count that another request began may be too old for this one: then the loop goes round once more.
      await (this.#counting.get(key) ?? this.#count(key, count))
    }
  }

  #count(key: string, count: () => Promise<Total>): Promise<Total> {
    const counting = count()
      .then((total) => {
        this.remember(key, total)
        return total
      })
      .finally(() => this.#counting.delete(key))
    this.#counting.set(key, counting)
    return counting
  }

  /** Keeps a total that was counted along with something else. */
  remember(key: string, { total, version }: Total): void {
    this.#known.delete(key)
    this.#known.set(key, { total, version })
    if (this.#known.size > MOST_KNOWN) this.#known.delete(this.#known.keys().next().value as string)
  }
}
