import { useEffect, useState } from 'react'
import type { BulkAction } from '#web/service/service.ts'

const unitFormat = (name: 'second' | 'minute' | 'hour' | 'day') =>
  new Intl.NumberFormat(undefined, { style: 'unit', unit: name, unitDisplay: 'short' })
const [SECONDS, MINUTES, HOURS, DAYS] = [
  unitFormat('second'),
  unitFormat('minute'),
  unitFormat('hour'),
  unitFormat('day'),
]

/** A duration such as `45 sec`, `3 min 20 sec`, `2 hr 5 min`, or `3 days 4 hr`. */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000))
  if (seconds < 60) return SECONDS.format(seconds)
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return formatTwoUnits(minutes, MINUTES, seconds % 60, SECONDS)
  const hours = Math.floor(minutes / 60)
  return hours < 24
    ? formatTwoUnits(hours, HOURS, minutes % 60, MINUTES)
    : formatTwoUnits(Math.floor(hours / 24), DAYS, hours % 24, HOURS)
}

const formatTwoUnits = (
  large: number,
  largeUnit: Intl.NumberFormat,
  small: number,
  smallUnit: Intl.NumberFormat,
): string => (small === 0 ? largeUnit.format(large) : `${largeUnit.format(large)} ${smallUnit.format(small)}`)

/** How long an action has taken so far, in milliseconds. */
export const elapsedMs = ({ created_at, completed_at }: BulkAction, now: number): number =>
  Math.max(0, (completed_at ? Date.parse(completed_at) : now) - Date.parse(created_at))

/** The current time, updated every second while `ticks` is true. */
export function useNow(ticks: boolean): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (!ticks) return
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [ticks])
  return now
}
