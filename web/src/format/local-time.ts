/** A moment of this era, or undefined. While a year is typed, a browser reports such as 0002. */
export function asMoment(value: unknown): string | undefined {
  const moment = new Date(String(value ?? ''))
  const year = moment.getFullYear()
  return year >= 1970 && year <= 9999 ? moment.toISOString() : undefined
}

/** A value of an input of the type `datetime-local` as a moment, or undefined. */
export const fromLocalTime = (value: string): string | undefined =>
  value === '' ? undefined : asMoment(value)

/** A moment as a value of an input of the type `datetime-local`. */
export function toLocalTime(moment: string | undefined): string {
  if (!moment) return ''
  const date = new Date(moment)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
