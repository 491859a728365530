import { SharedWork } from './single-flight.ts'

/** Answers by key, kept while nothing has changed; those that nobody has asked for the longest are forgotten first. */
export class RememberedWork<Result extends { version: number }> {
  readonly #most: number
  readonly #known = new Map<string, Result>()
  readonly #underWay = new SharedWork<Result>()

  /** @param most how many to keep */
  constructor(most: number) {
    this.#most = most
  }

  /** The last known answer, however old. */
  peek(key: string): Result | undefined {
    return this.#known.get(key)
  }

  /** The answer as of `version` changes or later: an older one is found again, once for all who wait for it. */
  async at(key: string, version: number, work: () => Promise<Result>): Promise<Result> {
    const known = this.#known.get(key)
    if (known && known.version >= version) {
      this.remember(key, known)
      return known
    }
    const result = await this.#underWay.do(key, async () => version, work)
    this.remember(key, result)
    return result
  }

  /** Keeps an answer that was found along with something else. */
  remember(key: string, result: Result): void {
    if ((this.#known.get(key)?.version ?? -1) > result.version) return
    this.#known.delete(key)
    this.#known.set(key, result)
    if (this.#known.size > this.#most) this.#known.delete(this.#known.keys().next().value as string)
  }
}
