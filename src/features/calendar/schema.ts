import { type Static, Type } from 'typebox'
import { Data, ErrorAnswer, endpoint, Named, Nullable, Timestamp } from '#src/platform/schema/shapes.ts'

/** The calendar has at most this many entries, those of the earliest days first. */
export const MAX_CALENDAR_ENTRIES = 1000
/** Entries of earlier days are left out. */
export const CALENDAR_DAYS_BACK = 90

export const CalendarFeed = Named('CalendarFeed', {
  url: Nullable(
    Type.String({
      description:
        'The secret address. Only in the answer to POST, because it is not stored; otherwise null.',
    }),
  ),
  created_at: Nullable(Type.Unsafe<string>({ ...Timestamp, description: 'null: there is no address.' })),
  last_read_at: Nullable(
    Type.Unsafe<string>({
      ...Timestamp,
      description: 'When a calendar program last read it, exact to the minute; null: never.',
    }),
  ),
})
export type CalendarFeed = Static<typeof CalendarFeed>

const example: CalendarFeed = {
  url: null,
  created_at: '2026-03-01T08:00:00.000Z',
  last_read_at: '2026-03-02T06:00:00.000Z',
}

const tags = ['Calendar']

export const getCalendar = endpoint('GET', '/api/calendar', {
  operationId: 'getCalendar',
  'x-action': 'credentials',
  tags,
  summary: 'Read whether you have a calendar address',
  description: 'All fields are null if you have none. 401 without a user.',
  response: { 200: Data(CalendarFeed, example) },
})

export const createCalendar = endpoint('POST', '/api/calendar', {
  operationId: 'createCalendar',
  'x-idempotency': 'none',
  'x-action': 'credentials',
  tags,
  summary: 'Create or replace your calendar address',
  description:
    'Anyone who knows the address can read your calendar without signing in. A new one replaces the old one, which stops ' +
    'working at once. 401 without a user.',
  response: {
    201: Data(CalendarFeed, {
      url: 'https://deals.example.com/api/calendar/bX3kQ9r2vT8wLm5ZpN4sYc7dGh1jKf6A.ics',
      created_at: '2026-03-01T08:00:00.000Z',
      last_read_at: null,
    }),
  },
})

export const deleteCalendar = endpoint('DELETE', '/api/calendar', {
  operationId: 'deleteCalendar',
  'x-action': 'credentials',
  tags,
  summary: 'Revoke your calendar address',
  description: 'It stops working at once. Nothing happens if there is none. 401 without a user.',
  response: { 204: Type.Null({ description: 'Done.' }) },
})

const header = (description: string, example: string) => Type.String({ description, examples: [example] })
const sent = {
  ETag: header('Changes whenever an entry changes.', '"kq3v0Z1uR8s"'),
  'Cache-Control': header('Always this.', 'private, no-cache'),
}

export const getCalendarFile = endpoint('GET', '/api/calendar/:file', {
  operationId: 'getCalendarFile',
  'x-open': true,
  'x-secret-path': true,
  tags,
  summary: 'Read a calendar',
  description:
    'For calendar programs: the secret address of POST /api/calendar, which needs no sign-in. Has your open tasks with a ' +
    'date, and the companies to look at again that you own or whose latest decision you wrote; both from ' +
    `${CALENDAR_DAYS_BACK} days ago on, at most ${MAX_CALENDAR_ENTRIES}, earliest first. A date is an entry of the whole ` +
    'day, a time one of 30 minutes. 404 for an address that was replaced or revoked, and while its user may not sign in.',
  produces: ['text/calendar'],
  params: Type.Object({
    file: Type.String({
      description: 'The secret, followed by .ics.',
      examples: ['bX3kQ9r2vT8wLm5ZpN4sYc7dGh1jKf6A.ics'],
    }),
  }),
  documentedHeaders: Type.Partial(
    Type.Object({ 'If-None-Match': header('ETags. 304 if the calendar has one of them.', '"kq3v0Z1uR8s"') }),
  ),
  response: {
    200: Type.String({
      description: 'iCalendar (RFC 5545).',
      headers: sent,
      examples: [
        [
          ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//deal-pipeline//Calendar//EN', 'BEGIN:VEVENT'],
          ...['UID:tsk_01jw3f8x67q4e6g8j0m2p4r6t8@deal-pipeline', 'SEQUENCE:0', 'DTSTAMP:20260301T080000Z'],
          ...['DTSTART;VALUE=DATE:20260315', 'SUMMARY:Call the founders', 'END:VEVENT', 'END:VCALENDAR', ''],
        ].join('\r\n'),
      ],
    }),
    304: Type.Null({ description: "The client's copy is current.", headers: sent }),
    404: ErrorAnswer('There is no such address, or its user may not sign in.'),
  },
})
