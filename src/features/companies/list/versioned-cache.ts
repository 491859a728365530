import { LRUCache } from 'lru-cache'
import { SingleFlight } from './single-flight.ts'

/** How many results are kept, or how many bytes. */
type Limits<Result extends object> =
  | { max: number }
  | { maxSize: number; maxEntrySize?: number; sizeCalculation: (result: Result) => number }

/** Results by key, valid until the table changes. The least recently used results are evicted first. */
export class VersionedCache<Result extends { version: number }> {
  readonly #results: LRUCache<string, Result>
  readonly #singleFlight = new SingleFlight<Result>()

  constructor(limits: Limits<Result>) {
    this.#results = new LRUCache<string, Result>(limits)
  }

  /** The cached result, however old. */
  peek(key: string): Result | undefined {
    return this.#results.peek(key)
  }

  /** A result that is at least as new as `version`. Concurrent callers share one computation. */
  async get(key: string, version: number, compute: () => Promise<Result>): Promise<Result> {
    const cached = this.#results.get(key)
    if (cached && cached.version >= version) return cached
    const result = await this.#singleFlight.run(key, async () => version, compute)
    this.set(key, result)
    return result
  }

  /** Stores a result, unless a newer one is cached. */
  set(key: string, result: Result): void {
    if ((this.#results.peek(key)?.version ?? -1) <= result.version) this.#results.set(key, result)
  }
}
