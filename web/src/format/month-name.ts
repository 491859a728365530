import { lazily } from './lazily.ts'

const MIN_MONTH_LETTERS = 3

const namesIn = (locale: string | undefined): string[] => {
  const format = new Intl.DateTimeFormat(locale, { month: 'long', timeZone: 'UTC' })
  return Array.from({ length: 12 }, (_, month) =>
    format.format(Date.UTC(2000, month)).toLocaleLowerCase(locale),
  )
}
const english = lazily(() => namesIn('en'))
const local = lazily(() => namesIn(undefined))

/**
 * The number of a month, from 1, by its name or the first letters of it: in English, or as this browser shows dates.
 * @returns undefined if there is no such month, or more than one
 */
export function monthOf(name: string): number | undefined {
  if (name.length < MIN_MONTH_LETTERS) return undefined
  for (const names of [english(), local()]) {
    const found = names.flatMap((month, index) => (month.startsWith(name.toLowerCase()) ? [index + 1] : []))
    if (found.length === 1) return found[0]
  }
  return undefined
}
