import { lazy } from 'react'
import { strings } from '#strings/date-input.ts'
import { localDay } from '#web/format/calendar-day.ts'
import { formatWeekdayAndClock } from '#web/format/days.ts'
import { formatMoment } from '#web/format/format.ts'
import { parseDay } from '#web/format/parse-day.ts'
import { clockOfMoment, momentOf, parseDayTime } from '#web/format/parse-day-time.ts'
import { DateField, type DateFieldProps } from './date-field.tsx'
import { limitsOf, problemOfDay, shortcutsOf } from './date-limits.ts'

const Calendar = lazy(() => import('./calendar.tsx'))

const DEFAULT_CLOCK = '09:00'

/**
 * The same for a day with a time of day. `value` is a moment in ISO 8601. It is typed and shown in the time zone of the
 * browser, as all times of the app are.
 */
export function DateTimeInput({ minDate, maxDate, isPast = false, ...props }: DateFieldProps) {
  const { value, clearable } = props
  const moment = value === null ? null : new Date(value)
  const clock = moment ? clockOfMoment(moment) : DEFAULT_CLOCK
  const limits = { minDate, maxDate }
  return (
    <DateField
      placeholder={isPast ? strings.pastTimePlaceholder : strings.timePlaceholder}
      {...props}
      reading={{
        parse: (text) => parseDayTime(text, new Date(), { isPast, clock }),
        format: formatMoment,
        describe: formatWeekdayAndClock,
        problemOf: (typed) => problemOfDay(localDay(new Date(typed)), limits),
        notUnderstood: strings.notAMoment,
      }}
      calendar={(put, close) => {
        const today = localDay(new Date())
        const day = moment && localDay(moment)
        return (
          <Calendar
            {...limitsOf(limits)}
            day={day}
            today={today}
            shortcuts={shortcutsOf(limits, isPast, (text) => parseDay(text, today, { isPast }))}
            choose={(chosen) => put(momentOf(chosen, clock))}
            time={{ clock, change: (typed) => put(momentOf(day ?? today, typed)), end: close }}
            {...(clearable &&
              value !== null && {
                clear: () => {
                  put(null)
                  close()
                },
              })}
          />
        )
      }}
    />
  )
}
