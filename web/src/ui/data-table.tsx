import { Paper, Table } from '@mantine/core'
import type { ReactNode } from 'react'
import { useIsCompact } from './use-preferences.ts'

interface DataTableProps {
  /** Names the table for assistive technology. */
  label: string
  /** In pixels. Narrower screens scroll. */
  minWidth: number
  columns: { label: ReactNode; width?: number | string }[]
  /** The rows. */
  children: ReactNode
  /** Whether other rows are loading. */
  isStale?: boolean
}

/** A table in a frame. */
export function DataTable({ label, minWidth, columns, children, isStale = false }: DataTableProps) {
  const isCompact = useIsCompact()
  return (
    <Paper
      withBorder
      // Positioned, so that it also clips visually hidden text.
      style={{ position: 'relative', overflow: 'hidden', opacity: isStale ? 0.6 : 1 }}
      aria-busy={isStale}
    >
      <Table.ScrollContainer minWidth={minWidth} type="native" tabIndex={0} role="region" aria-label={label}>
        <Table
          highlightOnHover
          layout="fixed"
          verticalSpacing={isCompact ? 6 : 'sm'}
          horizontalSpacing="sm"
          aria-label={label}
        >
          <Table.Thead>
            <Table.Tr>
              {columns.map(({ label: head, width }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the order is fixed
                <Table.Th key={index} w={width}>
                  {head}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>{children}</Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Paper>
  )
}
