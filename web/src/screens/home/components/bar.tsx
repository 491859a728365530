import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './bars.module.css'

interface BarProps {
  label: string
  /** Relative to the longest bar, 0 to 1. */
  share: number
  value: ReactNode
  color?: string
}

/** A row of a bar chart: label, bar, and number. */
export function Bar({ label, share, value, color = 'ink' }: BarProps) {
  const background = color === 'gray' ? 'var(--mantine-color-gray-5)' : `var(--mantine-color-${color}-filled)`
  return (
    <>
      <Text span inherit className={classes.label} dir="auto" title={label}>
        {label}
      </Text>
      <span className={classes.track} aria-hidden>
        {share > 0 && <span className={classes.bar} style={{ width: `${share * 100}%`, background }} />}
      </span>
      <span className={classes.value}>{value}</span>
    </>
  )
}
