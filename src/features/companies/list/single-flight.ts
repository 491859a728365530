/**
 * Work that several requests want at the same moment, done once for all of them. A request that comes while it is
 * under way says how many changes it must have seen; when it has seen fewer, the request does its own.
 */
export class SharedWork<Result extends { version: number }> {
  readonly #underWay = new Map<string, Promise<Result>>()

  async do(key: string, readVersion: () => Promise<number>, work: () => Promise<Result>): Promise<Result> {
    let version: number | undefined
    for (let underWay = this.#underWay.get(key); underWay; underWay = this.#underWay.get(key)) {
      version ??= await readVersion()
      const result = await underWay.catch(() => undefined)
      if (result && result.version >= version) return result
    }
    const own = work().finally(() => {
      if (this.#underWay.get(key) === own) this.#underWay.delete(key)
    })
    this.#underWay.set(key, own)
    return own
  }
}
