import { Text, type TextProps } from '@mantine/core'
import { formatClock } from '#web/format/days.ts'
import { formatAge, formatMoment } from '#web/format/format.ts'

interface AgeProps extends TextProps {
  timestamp: string
  /** Shows the time of day instead of the age. */
  asClock?: boolean
}

/** The age of an event, with the exact time as a tooltip. */
export function Age({ timestamp, asClock, ...props }: AgeProps) {
  return (
    <Text component="time" dateTime={timestamp} title={formatMoment(timestamp)} {...props}>
      {asClock ? formatClock(timestamp) : formatAge(timestamp)}
    </Text>
  )
}
