import { useEffect, useState } from 'react'
import type { BulkAction } from '#web/service/service.ts'

/** A length of time as `45 s`, `3 min 20 s`, `2 h 5 min` or `3 d 4 h`. */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return two(minutes, 'min', seconds % 60, 's')
  const hours = Math.floor(minutes / 60)
  return hours < 24 ? two(hours, 'h', minutes % 60, 'min') : two(Math.floor(hours / 24), 'd', hours % 24, 'h')
}

const two = (large: number, unit: string, small: number, smallUnit: string): string =>
  small === 0 ? `${large} ${unit}` : `${large} ${unit} ${small} ${smallUnit}`

/** How long an action has taken, or takes so far, in milliseconds. */
export const durationOf = ({ created_at, completed_at }: BulkAction, now: number): number =>
  Math.max(0, (completed_at ? Date.parse(completed_at) : now) - Date.parse(created_at))

/** The time, once a second for as long as it matters. */
export function useNow(ticks: boolean): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (!ticks) return
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [ticks])
  return now
}
