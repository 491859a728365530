import { isWebUrl } from '#src/platform/network/addresses.ts'

/** Adds a missing scheme. Returns null for a bare scheme, which some exports write for an empty field. */
export function webAddress(text: string): string | null | undefined {
  if (/^https?:\/*$/i.test(text)) return null
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return isWebUrl(text) ? text : undefined
  const address = `https://${text}`
  return isWebUrl(address) && new URL(address).hostname.includes('.') ? address : undefined
}
