import type { Context } from '#src/context.ts'
import { repeat } from '#src/platform/process/repeat.ts'
import { notify } from './consume.ts'
import { remind } from './reminders.ts'
import { deleteOldNotifications } from './remove.ts'
import { notifyOfViews } from './views.ts'

const INTERVAL_MS = 500
const VIEW_INTERVAL_MS = 60_000
const CLEANUP_INTERVAL_MS = 3_600_000
const REMINDER_INTERVAL_MS = 5000

/** Starts to notify of events. Any number of processes may do so. Returns a function that stops. */
export function startNotifications({ backgroundDb: db, filterCaller, log, writes }: Context): () => unknown {
  const notifyOfEvents = (stopped: AbortSignal) => notify(db, log, stopped)
  const stops = [
    repeat(writes.skipUntilWritten(notifyOfEvents), INTERVAL_MS, log),
    repeat((stopped) => notifyOfViews({ db, log, filterCaller }, stopped), VIEW_INTERVAL_MS, log),
    repeat(() => deleteOldNotifications(db), CLEANUP_INTERVAL_MS, log),
  ]
  return () => Promise.all(stops.map((stop) => stop()))
}

/** Starts to remind of tasks. Any number of processes may do so. Returns a function that stops. */
export const startReminders = ({ backgroundDb: db, config: { timeZone }, log }: Context): (() => unknown) =>
  repeat((stopped) => remind({ db, log, timeZone }, new Date(), stopped), REMINDER_INTERVAL_MS, log)
