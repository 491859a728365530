import { AUDIT_EVENTS, type AuditEvent } from '#src/client/limits.ts'
import { asMoment } from '#web/format/as-moment.ts'

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
