/**
 * How long somebody asks to be left alone: `Retry-After`, in seconds or as a date (RFC 9110, section 10.2.3).
 * @returns milliseconds, 0 at least; undefined when it does not say, or that time is over
 */
export function retryAfter(text: string | null | undefined): number | undefined {
  if (!text) return undefined
  const pause = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return pause >= 0 ? pause : undefined
}
