/**
 * Parses `Retry-After`, in seconds or as a date (RFC 9110, section 10.2.3).
 * @returns milliseconds, at least 0; `undefined` if the header is missing, invalid or in the past
 */
export function retryAfter(text: string | null | undefined): number | undefined {
  if (!text) return undefined
  const delay = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return delay >= 0 ? delay : undefined
}
