import { strings } from '#strings/date-input.ts'
import { formatDate } from '#web/format/format.ts'

const MIN_YEAR = 1900
const MAX_YEAR = 2200

/** What to answer to another year. */
export const yearProblem = strings.year(MIN_YEAR, MAX_YEAR)

interface Limits {
  minDate?: string | undefined
  maxDate?: string | undefined
}

/** The first and the last day to choose. */
export const limitsOf = ({ minDate, maxDate }: Limits): { min: string; max: string } => ({
  min: minDate ?? `${MIN_YEAR}-01-01`,
  max: maxDate ?? `${MAX_YEAR}-12-31`,
})

/** Why a day is not taken, or null. */
export function problemOfDay(day: string, limits: Limits): string | null {
  const year = Number(day.slice(0, 4))
  if (year < MIN_YEAR || year > MAX_YEAR) return yearProblem
  const { min, max } = limitsOf(limits)
  if (day < min) return strings.tooEarly(formatDate(min))
  return day > max ? strings.tooLate(formatDate(max)) : null
}

/** The days that the calendar offers above its months. */
export function shortcutsOf(
  limits: Limits,
  isPast: boolean,
  parse: (text: string) => string | null,
): { label: string; day: string }[] {
  const labels = isPast ? strings.pastShortcuts : strings.shortcuts
  return labels.flatMap((label) => {
    const day = parse(label)
    return day === null || problemOfDay(day, limits) ? [] : [{ label, day }]
  })
}
