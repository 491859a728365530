import { useEffect, useState } from 'react'
import type { BulkAction } from '#web/api/service.ts'
import { lazily } from '#web/format/lazily.ts'

const unitFormat = (unit: 'second' | 'minute' | 'hour' | 'day') =>
  lazily(() => new Intl.NumberFormat(undefined, { style: 'unit', unit, unitDisplay: 'short' }))
const [seconds, minutes, hours, days] = [
  unitFormat('second'),
  unitFormat('minute'),
  unitFormat('hour'),
  unitFormat('day'),
]

/** A duration such as `45 sec`, `3 min 20 sec`, `2 hr 5 min`, or `3 days 4 hr`. */
export function formatDuration(milliseconds: number): string {
  const inSeconds = Math.max(0, Math.round(milliseconds / 1000))
  if (inSeconds < 60) return seconds().format(inSeconds)
  const inMinutes = Math.floor(inSeconds / 60)
  if (inMinutes < 60) return formatTwoUnits(inMinutes, minutes(), inSeconds % 60, seconds())
  const inHours = Math.floor(inMinutes / 60)
  return inHours < 24
    ? formatTwoUnits(inHours, hours(), inMinutes % 60, minutes())
    : formatTwoUnits(Math.floor(inHours / 24), days(), inHours % 24, hours())
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
