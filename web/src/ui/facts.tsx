import { Text } from '@mantine/core'
import { Fragment, type ReactNode } from 'react'

interface FactsProps {
  /** Those that are null, false, or empty are left out. */
  facts: readonly ReactNode[]
  /** The last fact, which is not printed. */
  onScreen?: ReactNode
}

/** Short facts in a line, such as `Berlin · 2021 · 12 people`. */
export function Facts({ facts, onScreen }: FactsProps) {
  const known = facts.filter((fact) => fact !== null && fact !== false && fact !== undefined && fact !== '')
  return (
    <Text size="sm" c="dimmed" component="div" className="break-anywhere">
      {known.map((fact, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the order is fixed
        <Fragment key={index}>
          {index > 0 && ' · '}
          {fact}
        </Fragment>
      ))}
      {onScreen && (
        <span className="print-hidden">
          {known.length > 0 && ' · '}
          {onScreen}
        </span>
      )}
    </Text>
  )
}
