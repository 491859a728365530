/** An object with names and values; neither a list nor null. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The text when it is one that says something. */
export const asText = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value : null

export const asNumber = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null

/** The texts of a list, without what is no text. */
export const asTexts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => asText(item) !== null) : []

/** The address when it is one that a browser may follow safely. */
export function asWebUrl(value: string | null): URL | null {
  const address = value && URL.canParse(value) ? new URL(value) : null
  return address && ['http:', 'https:'].includes(address.protocol) ? address : null
}

/** A time when it is one. */
export const asTimestamp = (value: unknown): string | null =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? value : null
