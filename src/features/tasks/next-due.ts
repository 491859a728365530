import { localDay, localTime, momentAt } from '#src/platform/schema/time-zone.ts'
import type { Repeat } from './schema.ts'

/** When a task is due, and what it keeps of its rule. */
export interface Due {
  due_on: string | null
  due_at: string | null
  repeat_day: number | null
  repeat_time: string | null
}

/** Whose calendar counts, and what day it is there. */
export interface Calendar {
  /** The name of an IANA time zone. */
  zone: string
  /** In milliseconds. */
  now: number
}

const DAY_MS = 86_400_000
const MONTHS: Partial<Record<Repeat, number>> = { monthly: 1, quarterly: 3 }

/** The day of the calendar as `YYYY-MM-DD`. */
const dayText = (day: number): string => new Date(day).toISOString().slice(0, 10)

const dayOf = (text: string): number => Date.parse(`${text}T00:00:00Z`)

const timeText = (time: number): string => new Date(time).toISOString().slice(11, 23)

const timeOf = (text: string): number => Date.parse(`1970-01-01T${text}Z`)

/** Today in a calendar, as `YYYY-MM-DD`. */
export const todayIn = ({ zone, now }: Calendar): string => dayText(localDay(now, zone))

/** The day this many days from today. */
export const daysFromToday = ({ zone, now }: Calendar, days: number): string =>
  dayText(localDay(now, zone) + days * DAY_MS)

/** The day of the month of a task that is repeated by months, null if it is not. */
export function repeatDay(
  { repeat, due_on, due_at }: { repeat: Repeat | null } & Pick<Due, 'due_on' | 'due_at'>,
  zone: string,
): number | null {
  if (!repeat || !MONTHS[repeat]) return null
  const day = due_at ? localDay(Date.parse(due_at), zone) : due_on && dayOf(due_on)
  return day ? new Date(day).getUTCDate() : null
}

/**
 * When a repeated task is due next: on the first day of its rule that is after today. A time of day stays what clocks show,
 * through daylight saving time.
 */
export function nextDue(due: Due, repeat: Repeat, calendar: Calendar): Due {
  const { due_on, due_at } = due
  const today = localDay(calendar.now, calendar.zone)
  if (due_at) {
    const present = localDay(Date.parse(due_at), calendar.zone)
    const repeat_day = keptDay(present, due.repeat_day)
    const day = nextDay(present, repeat, repeat_day, today)
    return { due_on: null, repeat_day, ...atTime(day, timeOfDay(due, calendar.zone), calendar.zone) }
  }
  const { repeat_day } = due
  const day = nextDay(dayOf(due_on as string), repeat, repeat_day, today)
  return { due_on: dayText(day), due_at: null, repeat_day, repeat_time: null }
}

/** The day of the month that a task keeps, unless its time is on another day in the zone of its present assignee. */
function keptDay(day: number, repeat_day: number | null): number | null {
  if (repeat_day === null || dayInMonth(monthOf(day), repeat_day) === day) return repeat_day
  return new Date(day).getUTCDate()
}

/** A task that is due later by some days, counted from today if its day has passed. */
export function postponed(
  due: Pick<Due, 'due_on' | 'due_at' | 'repeat_time'>,
  days: number,
  calendar: Calendar,
) {
  const { zone, now } = calendar
  const { due_on, due_at } = due
  const day = due_at ? localDay(Date.parse(due_at), zone) : due_on ? dayOf(due_on) : 0
  const later = Math.max(day, localDay(now, zone)) + days * DAY_MS
  return due_at ? { due_at: atTime(later, timeOfDay(due, zone), zone).due_at } : { due_on: dayText(later) }
}

const timeOfDay = ({ due_at, repeat_time }: Pick<Due, 'due_at' | 'repeat_time'>, zone: string): number =>
  repeat_time ? timeOf(repeat_time) : localTime(Date.parse(due_at as string), zone)

/** A time that clocks skip on that day is kept for the days after it. */
function atTime(day: number, time: number, zone: string): { due_at: string; repeat_time: string | null } {
  const moment = momentAt(day, time, zone)
  const isSkipped = localTime(moment, zone) !== time
  return { due_at: new Date(moment).toISOString(), repeat_time: isSkipped ? timeText(time) : null }
}

/** @param day the present due day, as the milliseconds of its midnight in UTC */
function nextDay(day: number, repeat: Repeat, repeat_day: number | null, today: number): number {
  const months = MONTHS[repeat]
  if (!months) {
    const length = (repeat === 'weekly' ? 7 : 1) * DAY_MS
    return day + Math.max(1, Math.floor((today - day) / length) + 1) * length
  }
  const wanted = repeat_day ?? new Date(day).getUTCDate()
  const monthsSince = monthOf(today) - monthOf(day)
  const steps = Math.max(1, Math.floor(monthsSince / months))
  const candidate = dayInMonth(monthOf(day) + steps * months, wanted)
  return candidate > today ? candidate : dayInMonth(monthOf(day) + (steps + 1) * months, wanted)
}

const monthOf = (day: number): number => new Date(day).getUTCFullYear() * 12 + new Date(day).getUTCMonth()

/** The day of a month, or its last one if it is shorter. */
function dayInMonth(month: number, day: number): number {
  const [year, index] = [Math.floor(month / 12), month % 12]
  const last = new Date(Date.UTC(year, index + 1, 0)).getUTCDate()
  return Date.UTC(year, index, Math.min(day, last))
}
