const TYPING_MS = 600
const MINUTE_MS = 60_000
/** This many checks a minute start as soon as the typing pauses. */
const QUICK_CHECKS = 30
/** The interval of further checks. `RATE_LIMIT_IMPORT` is 60 per minute, and some must be left for the import. */
const SLOW_INTERVAL_MS = 2500

/**
 * How long to wait for further changes before the file is checked again.
 * @param starts when earlier checks started, in order
 */
export function delayBeforeCheck(starts: readonly number[], now: number): number {
  const recent = starts.filter((start) => now - start < MINUTE_MS)
  const last = recent.at(-1)
  if (last === undefined || recent.length < QUICK_CHECKS) return TYPING_MS
  return Math.max(TYPING_MS, last + SLOW_INTERVAL_MS - now)
}
