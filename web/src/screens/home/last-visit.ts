import { asMoment } from '#web/format/as-moment.ts'
import { todayIn } from '#web/format/calendar-day.ts'

/** The visits of Home, as the preferences store them. */
export interface LastVisit {
  /** The day of the latest visit in the user's time zone, such as 2026-03-02. */
  day: string
  /** The time of the latest visit. */
  at: string
  /** The time of the last visit on an earlier day; null: there was none. */
  since: string | null
}

/** A visit that was stored by this app; undefined for anything else that a client may have stored. */
function storedVisit(stored: unknown): LastVisit | undefined {
  if (typeof stored !== 'object' || stored === null) return undefined
  const { day, at, since } = stored as Partial<Record<keyof LastVisit, unknown>>
  const moment = typeof at === 'string' ? asMoment(at) : undefined
  if (typeof day !== 'string' || moment === undefined) return undefined
  return { day, at: moment, since: (typeof since === 'string' && asMoment(since)) || null }
}

/**
 * The visits after one at this time. All visits of a day show what has changed since the last one on an earlier day: on
 * Monday since Friday, also after a reload.
 * @param zone the user's time zone, by default that of the browser
 */
export function visitAt(stored: unknown, now: Date, zone: string | undefined): LastVisit {
  const last = storedVisit(stored)
  const day = todayIn(zone, now)
  const since = last ? (last.day === day ? last.since : last.at) : null
  return { day, at: now.toISOString(), since }
}

/** A visit is not stored again within this time. */
const STORE_INTERVAL_MS = 10 * 60_000

/** Whether a visit has to be stored. */
export function isWorthStoring(stored: unknown, visit: LastVisit): boolean {
  const last = storedVisit(stored)
  return last?.day !== visit.day || Date.parse(visit.at) - Date.parse(last.at) > STORE_INTERVAL_MS
}
