import { AUDIT_EVENTS, type AuditEvent } from '#src/client/limits.ts'

export interface AuditSearch {
  event?: AuditEvent
  user_email?: string
  address?: string
  /** ISO 8601, in UTC. */
  since?: string
  /** ISO 8601, in UTC; exclusive. */
  until?: string
  /** Starts at 1. */
  page?: number
}

/** @param search the query of `/admin/audit`; invalid values are dropped */
export function auditSearch(search: Record<string, unknown>): AuditSearch {
  const event = AUDIT_EVENTS.find((known) => known === search.event)
  const page = Number(search.page)
  const since = asMoment(search.since)
  const until = asMoment(search.until)
  return {
    ...(event && { event }),
    ...(search.user_email ? { user_email: String(search.user_email) } : {}),
    ...(search.address ? { address: String(search.address) } : {}),
    ...(since && { since }),
    ...(until && { until }),
    ...(Number.isSafeInteger(page) && page > 1 && { page }),
  }
}

/** A moment of this era, or undefined. While a year is typed, a browser reports such as 0002. */
function asMoment(value: unknown): string | undefined {
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
