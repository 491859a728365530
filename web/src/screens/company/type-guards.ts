/** A plain object, not an array or null. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A string that is not blank. */
export const asText = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value : null

export const asNumber = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null

/** The non-blank strings of a list. */
export const asTexts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => asText(item) !== null) : []

/** A URL that is safe to link to. */
export function asWebUrl(value: string | null): URL | null {
  const address = value && URL.canParse(value) ? new URL(value) : null
  return address && ['http:', 'https:'].includes(address.protocol) ? address : null
}

/** A string that is a date. */
export const asTimestamp = (value: unknown): string | null =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? value : null
