/** Part of Node.js; TypeScript's library does not declare it yet. */
const { rawJSON, isRawJSON } = JSON as unknown as {
  rawJSON(text: string): unknown
  isRawJSON(value: unknown): boolean
}

/** Sixteen digits that are not the fraction of a number, such as those of a vector. */
const LONG_INTEGER = /(?<![.\d])\d{16}/

/** Whether a JSON text may have integers that a number cannot represent. */
export const hasLongInteger = (text: string): boolean => LONG_INTEGER.test(text)

/**
 * Parses JSON. Integers that a number cannot represent become values that `JSON.stringify` writes digit for digit.
 * @throws SyntaxError
 */
export const parseExactJson = (text: string): unknown =>
  hasLongInteger(text)
    ? JSON.parse(text, keepDigits as unknown as Parameters<typeof JSON.parse>[1])
    : JSON.parse(text)

function keepDigits(_key: string, value: unknown, { source = '' }: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value) || !Number.isFinite(value)) return value
  return /^-?\d+$/.test(source) ? rawJSON(source) : value
}

/** Whether a value is an integer that a number cannot represent. */
export const isExactInteger = (value: unknown): boolean => isRawJSON(value)

/**
 * Restores the digits of integers in a value.
 * @param value parsed with `JSON.parse`, and valid
 * @param exact the same text parsed with `parseExactJson`
 */
export function withExactIntegers<T>(value: T, exact: unknown): T
export function withExactIntegers(value: unknown, exact: unknown): unknown {
  if (typeof value === 'number') return isRawJSON(exact) ? exact : value
  if (typeof value !== 'object' || value === null || typeof exact !== 'object' || exact === null) return value
  if (Array.isArray(value))
    return value.map((item, index) => withExactIntegers(item, (exact as unknown[])[index]))
  const exactFields = exact as Record<string, unknown>
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, withExactIntegers(item, exactFields[key])]),
  )
}
