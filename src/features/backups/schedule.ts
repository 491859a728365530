import { localDay, startOfDay } from '#src/platform/schema/time-zone.ts'

const MINUTE_MS = 60_000
const DAY_MS = 1440 * MINUTE_MS
const KEPT = { daily: 7, weekly: 4, monthly: 12 }

/**
 * The last time at or before a moment at which a daily backup is due, in milliseconds. Where clocks are set forward or back in
 * the night, it may be an hour off that day.
 * @param minutes after midnight
 */
export function lastDue(moment: number, minutes: number, timeZone: string): number {
  const today = localDay(moment, timeZone)
  const due = startOfDay(today, timeZone) + minutes * MINUTE_MS
  return due <= moment ? due : startOfDay(today - DAY_MS, timeZone) + minutes * MINUTE_MS
}

/** The name of a backup that was due at a time. The time is UTC. */
export const backupName = (due: number): string =>
  `deal-pipeline-${new Date(due).toISOString().slice(0, 16).replace(':', '')}Z.backup`

/** When the backup of this name was due; undefined if the name is not one of `backupName`. */
function dueOf(name: string): Date | undefined {
  const [, day, hours, minutes] = /^deal-pipeline-(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)Z\.backup$/.exec(name) ?? []
  return day === undefined ? undefined : new Date(`${day}T${hours}:${minutes}:00Z`)
}

/**
 * Which backups can go: of the latest 7 days, 4 weeks, and 12 months with a backup, the last one of each stays. Files with
 * other names stay too.
 */
export function expiredBackups(names: readonly string[]): string[] {
  const backups = names
    .flatMap((name) => {
      const due = dueOf(name)
      return due ? [{ name, due }] : []
    })
    .sort((a, b) => b.due.getTime() - a.due.getTime())
  const kept = new Set<string>()
  const keep = (periodOf: (due: Date) => number | string, count: number) => {
    const periods = new Set<number | string>()
    for (const { name, due } of backups) {
      const period = periodOf(due)
      if (periods.has(period)) continue
      if (periods.size === count) return
      periods.add(period)
      kept.add(name)
    }
  }
  const dayOf = (due: Date) => Math.floor(due.getTime() / DAY_MS)
  keep(dayOf, KEPT.daily)
  // 1970 began on a Thursday; weeks begin on Monday.
  keep((due) => Math.floor((dayOf(due) + 3) / 7), KEPT.weekly)
  keep((due) => due.toISOString().slice(0, 7), KEPT.monthly)
  return backups.map(({ name }) => name).filter((name) => !kept.has(name))
}
