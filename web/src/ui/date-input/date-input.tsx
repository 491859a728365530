import { useQuery } from '@tanstack/react-query'
import { lazy } from 'react'
import { strings } from '#strings/date-input.ts'
import { queries } from '#web/api/queries.ts'
import { todayIn } from '#web/format/calendar-day.ts'
import { formatWeekday } from '#web/format/days.ts'
import { formatDate } from '#web/format/format.ts'
import { parseDay } from '#web/format/parse-day.ts'
import { parseDayTime } from '#web/format/parse-day-time.ts'
import { DateField, type DateFieldProps } from './date-field.tsx'
import { limitsOf, problemOfDay, shortcutsOf, yearProblem } from './date-limits.ts'

const Calendar = lazy(() => import('./calendar.tsx'))

interface DateInputProps extends DateFieldProps {
  /** Texts besides days, such as `-30d` in filters. */
  others?: {
    /** undefined if the text is none of them. */
    parse: (text: string) => string | undefined
    /** Words for a value that is not a day. undefined if it is one. */
    describe?: (value: string) => string | undefined
    /** What to answer to a text that is nothing. */
    notUnderstood?: (text: string) => string
  }
}

/** Why a text is no day. */
function explain(text: string): string {
  if (/^0\d{3}-\d{2}-\d{2}$/.test(text)) return yearProblem
  return parseDayTime(text, new Date()) === null ? strings.notADay(text) : strings.dayOnly(text)
}

const isDay = (value: string): boolean => !Number.isNaN(Date.parse(`${value}T12:00:00`))

/**
 * A field for a date, which is typed as in "in 2 weeks" or chosen in a calendar. `value` is a day such as `2026-03-01`.
 * Days such as "tomorrow" are those of the user's time zone.
 */
export function DateInput({ minDate, maxDate, isPast = false, others, ...props }: DateInputProps) {
  const { value, clearable } = props
  const timeZone = useQuery(queries.me()).data?.preferences.time_zone
  const today = () => todayIn(timeZone)
  const limits = { minDate, maxDate }
  const parse = (text: string) => parseDay(text, today(), { isPast })
  return (
    <DateField
      placeholder={isPast ? strings.pastPlaceholder : strings.placeholder}
      {...props}
      reading={{
        parse: (text) => others?.parse(text) ?? parse(text),
        format: (day) => (isDay(day) ? formatDate(day) : day),
        describe: (day) => others?.describe?.(day) ?? formatWeekday(`${day}T12:00:00`),
        problemOf: (day) => (others?.describe?.(day) ? null : problemOfDay(day, limits)),
        notUnderstood: others?.notUnderstood ?? explain,
      }}
      calendar={(put, close) => {
        const choose = (day: string | null) => {
          put(day)
          close()
        }
        return (
          <Calendar
            {...limitsOf(limits)}
            day={value !== null && isDay(value) ? value : null}
            today={today()}
            shortcuts={shortcutsOf(limits, isPast, parse)}
            choose={choose}
            {...(clearable && value !== null && { clear: () => choose(null) })}
          />
        )
      }}
    />
  )
}
