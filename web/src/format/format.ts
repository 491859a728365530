import { lazily } from './lazily.ts'

const numbers = lazily(() => new Intl.NumberFormat())
const changes = lazily(() => new Intl.NumberFormat(undefined, { signDisplay: 'exceptZero' }))
const compactNumbers = lazily(
  () => new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 }),
)
const euros = lazily(
  () => new Intl.NumberFormat(undefined, { style: 'currency', currency: 'EUR', maximumFractionDigits: 0 }),
)
const compactEuros = lazily(
  () =>
    new Intl.NumberFormat(undefined, {
      style: 'currency',
      currency: 'EUR',
      notation: 'compact',
      maximumFractionDigits: 1,
    }),
)
const euroChanges = lazily(
  () =>
    new Intl.NumberFormat(undefined, {
      style: 'currency',
      currency: 'EUR',
      notation: 'compact',
      maximumFractionDigits: 1,
      signDisplay: 'exceptZero',
    }),
)
const percents = lazily(
  () => new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 0 }),
)
const days = lazily(() => new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' }))
const moments = lazily(() => new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }))
const relative = lazily(() => new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' }))
const lists = lazily(() => new Intl.ListFormat(undefined, { type: 'conjunction' }))
const countries = lazily(() => new Intl.DisplayNames(undefined, { type: 'region', fallback: 'code' }))

/** Words as a list: `a, b, and c`. */
export const formatList = (words: Iterable<string>): string => lists().format(words)
export const formatNumber = (value: number): string => numbers().format(value)
/** A difference with its sign: +5, −3, or 0. */
export const formatChange = (value: number): string => changes().format(value)
export const formatCompactNumber = (value: number): string => compactNumbers().format(value)
export const formatEuros = (value: number): string => euros().format(value)
export const formatCompactEuros = (value: number): string => compactEuros().format(value)
/** A difference in euros with its sign, such as +€350K. */
export const formatEurosChange = (value: number): string => euroChanges().format(value)

/** Props for a `NumberInput` that make it use the user's number format. Its value stays a plain number. */
export const localNumbers = lazily(() => {
  const parts = new Intl.NumberFormat(undefined, { numberingSystem: 'latn' }).formatToParts(1234567.8)
  const separator = (type: 'group' | 'decimal'): string =>
    parts.find((part) => part.type === type)?.value ?? ''
  return {
    thousandSeparator: separator('group'),
    decimalSeparator: separator('decimal'),
    allowedDecimalSeparators: ['.', ','].filter((mark) => mark !== separator('group')),
    valueIsNumericString: true,
  }
})

/** A number for editing, with all its decimals. */
export const formatTypedNumber = (value: number, isGrouped = false): string =>
  new Intl.NumberFormat(undefined, { useGrouping: isGrouped, maximumFractionDigits: 20 }).format(value)

/** @param share 0 to 1 */
export const formatPercent = (share: number): string => percents().format(share)
/** @param timestamp ISO 8601, shown in the user's time zone */
export const formatDay = (timestamp: string): string => days().format(new Date(timestamp))
/** A date such as `2026-03-02`, which is the same day in every time zone. */
export const formatDate = (date: string): string => formatDay(`${date}T12:00:00`)
export const formatMoment = (timestamp: string): string => moments().format(new Date(timestamp))

/** @param code ISO 3166-1 alpha-2 */
export const formatCountry = (code: string): string => countries().of(code) ?? code

const STEPS = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
  ['day', 7],
  ['week', 4.35],
  ['month', 12],
  ['year', Number.POSITIVE_INFINITY],
] as const

/** An age such as `3 minutes ago`. */
export function formatAge(timestamp: string, now = Date.now()): string {
  let amount = (new Date(timestamp).getTime() - now) / 1000
  for (const [unit, size] of STEPS) {
    if (Math.abs(amount) < size) return relative().format(Math.round(amount), unit)
    amount /= size
  }
  return formatDay(timestamp)
}

/** A lower_snake_case word as readable text: `due_diligence` becomes `Due diligence`. */
export function formatWord(word: string): string {
  const text = word.replaceAll('_', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
