import ical, { ICalCalendarMethod } from 'ical-generator'
import type { CalendarEntry } from './store.ts'

const MINUTE_MS = 60_000
/** How long a task at a time lasts. */
const TASK_MS = 30 * MINUTE_MS
/** How often calendar programs are asked to read the file again, in seconds. */
const REFRESH_SECONDS = 3600

interface CalendarSettings {
  /** The name of the calendar. */
  name: string
  /** The address of the app, without a slash at the end. */
  publicUrl: string
}

/** Line breaks and tabs become spaces. RFC 5545 allows no other control characters, and some parsers break at U+2028. */
const oneLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .toWellFormed()
    .trim()

/**
 * The entries as an iCalendar file (RFC 5545). The identifiers of entries stay the same, so that calendar programs move
 * an entry whose day has changed.
 */
export function calendarFile(
  entries: readonly CalendarEntry[],
  { name, publicUrl }: CalendarSettings,
): string {
  const calendar = ical({
    name: oneLine(name),
    prodId: { company: 'deal-pipeline', product: 'Calendar', language: 'EN' },
    method: ICalCalendarMethod.PUBLISH,
    ttl: REFRESH_SECONDS,
  })
  for (const { kind, id, title, on_day, at_time, about, changed_at } of entries) {
    const url = kind === 'task' ? `${publicUrl}/tasks?task=${id}` : `${publicUrl}/companies/${id}`
    const subjects = about.map((subject) => oneLine(subject.name)).join(', ')
    calendar.createEvent({
      id: kind === 'task' ? `${id}@deal-pipeline` : `${id}-revisit@deal-pipeline`,
      summary: kind === 'task' ? oneLine(title) : `Look again at ${oneLine(title)}`,
      description: [subjects && `About ${subjects}`, url].filter(Boolean).join('\n'),
      url,
      // From the database, not from the clock, so that the file changes only when an entry does.
      stamp: changed_at,
      lastModified: changed_at,
      ...(at_time
        ? { start: at_time, end: new Date(at_time.getTime() + TASK_MS) }
        : { start: on_day as string, allDay: true }),
    })
  }
  return `${calendar.toString()}\r\n`
}
