import { TooManyRequests } from '#src/platform/errors.ts'

interface Limits {
  perCaller: number
  perProcess: number
  /** What is limited, in the plural, such as `imports`. */
  noun: string
}

/** Limits how many requests of a kind run at a time, per caller and in this process. */
export class ConcurrencyLimit {
  readonly #limits: Limits
  readonly #running = new Map<string, number>()
  #total = 0

  constructor(limits: Limits) {
    this.#limits = limits
  }

  /**
   * Runs the work if a slot is free, and frees the slot when the work ends, however it ends.
   * @throws TooManyRequests when the caller or the process has no free slot
   */
  async run<T>(caller: string, work: () => Promise<T>): Promise<T> {
    const { perCaller, perProcess, noun } = this.#limits
    const running = this.#running.get(caller) ?? 0
    if (running >= perCaller)
      throw new TooManyRequests(
        `You may run ${perCaller} ${noun} at a time. Try again when one has finished.`,
      )
    if (this.#total >= perProcess)
      throw new TooManyRequests(
        `The service runs ${perProcess} ${noun} at a time, and all are in use. Try again later.`,
      )
    this.#running.set(caller, running + 1)
    this.#total += 1
    try {
      return await work()
    } finally {
      this.#total -= 1
      const left = (this.#running.get(caller) ?? 1) - 1
      if (left > 0) this.#running.set(caller, left)
      else this.#running.delete(caller)
    }
  }
}
