/** Refusals of one kind that are recorded in a minute: of one caller, and of this process. */
export const MAX_DENIALS_PER_CALLER = 10
export const MAX_DENIALS = 300
const WINDOW_MS = 60_000

/** Limits how many denials are recorded, so that no one can fill the audit log. Windows start with their first denial. */
export class DenialLimit {
  readonly #report: (count: number) => void
  readonly #counts = new Map<string, number>()
  #total = 0
  #omitted = 0
  #timer: NodeJS.Timeout | undefined

  /** @param report called at the end of a minute with the number of denials that were not recorded, if any */
  constructor(report: (count: number) => void) {
    this.#report = report
  }

  /** Counts a denial. Returns whether to record it. */
  take(caller: string): boolean {
    this.#timer ??= setTimeout(() => this.close(), WINDOW_MS).unref()
    const count = this.#counts.get(caller) ?? 0
    if (count >= MAX_DENIALS_PER_CALLER || this.#total >= MAX_DENIALS) {
      this.#omitted += 1
      return false
    }
    this.#counts.set(caller, count + 1)
    this.#total += 1
    return true
  }

  /** Ends the minute. */
  close(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#counts.clear()
    this.#total = 0
    const omitted = this.#omitted
    this.#omitted = 0
    if (omitted > 0) this.#report(omitted)
  }
}
