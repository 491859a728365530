/**
 * Shares one run of a task among concurrent requests. A request joins a pending run only if the result is at least as new
 * as the version that the request has seen. Otherwise it starts its own.
 */
export class SingleFlight<Result extends { version: number }> {
  readonly #pending = new Map<string, Promise<Result>>()

  async run(key: string, readVersion: () => Promise<number>, task: () => Promise<Result>): Promise<Result> {
    let version: number | undefined
    for (let pending = this.#pending.get(key); pending; pending = this.#pending.get(key)) {
      version ??= await readVersion()
      const result = await pending.catch(() => undefined)
      if (result && result.version >= version) return result
    }
    const started = task().finally(() => {
      if (this.#pending.get(key) === started) this.#pending.delete(key)
    })
    this.#pending.set(key, started)
    return started
  }
}
