import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { strings } from '#strings/import-report.ts'
import { formatNumber } from '#web/format/format.ts'
import { ScreenLink } from '#web/ui/link.tsx'
import classes from './row-list.module.css'

/** Rows of the file, one below the other. */
export function RowList({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className={classes.list} aria-label={label}>
      {children}
    </ul>
  )
}

interface RowItemProps {
  row: number
  name: string
  /** The company in the service, if it is there. */
  companyId?: string | null
  isExcluded?: boolean
  /** Below the name. */
  children?: ReactNode
  /** Beside the name. */
  action?: ReactNode
  /** Whether the action does not fit beside the name in a narrow window. */
  isActionWide?: boolean
}

/** One row of the file: its number, its company, and what can be done with it. */
export function RowItem({
  row,
  name,
  companyId = null,
  isExcluded = false,
  children,
  action,
  isActionWide = false,
}: RowItemProps) {
  return (
    <li className={classes.item} data-excluded={isExcluded || undefined}>
      <Text size="xs" c="dimmed" className={classes.row}>
        <span className={classes.word}>{strings.row}</span> {formatNumber(row)}
      </Text>
      <div className={classes.body}>
        {companyId === null ? (
          <Text size="sm" className={`break-anywhere ${classes.name}`} dir="auto">
            {name}
          </Text>
        ) : (
          <ScreenLink
            to="/companies/$id"
            params={{ id: companyId }}
            target="_blank"
            size="sm"
            className={`break-anywhere ${classes.name}`}
            dir="auto"
          >
            {name}
          </ScreenLink>
        )}
        {children}
      </div>
      {action && (
        <div className={classes.action} data-wide={isActionWide || undefined}>
          {action}
        </div>
      )}
    </li>
  )
}
