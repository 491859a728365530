import { Text, type TextProps } from '@mantine/core'
import { formatClock } from '#web/words/days.ts'
import { formatAge, formatMoment } from '#web/words/format.ts'

interface AgeProps extends TextProps {
  timestamp: string
  /** Shows the time of the day rather than how long ago it was. */
  asClock?: boolean
}

/** When something happened; the exact moment is its title. */
export function Age({ timestamp, asClock, ...props }: AgeProps) {
  return (
    <Text component="time" dateTime={timestamp} title={formatMoment(timestamp)} {...props}>
      {asClock ? formatClock(timestamp) : formatAge(timestamp)}
    </Text>
  )
}
