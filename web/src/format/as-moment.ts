/** A moment of this era in ISO 8601, or undefined. */
export function asMoment(value: unknown): string | undefined {
  const moment = new Date(String(value ?? ''))
  const year = moment.getFullYear()
  return year >= 1970 && year <= 9999 ? moment.toISOString() : undefined
}
