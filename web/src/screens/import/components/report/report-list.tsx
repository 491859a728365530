import { Button, Group, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { strings } from '#strings/import-report.ts'

const INITIAL_ITEMS = 15
const PAGE_SIZE = 100

interface ReportListProps<T> {
  items: readonly T[]
  /** The number of further items that the service does not list. */
  omitted?: number
  help?: ReactNode
  /** Controls for the whole list. */
  controls?: ReactNode
  save?: (() => void) | undefined
  children: (shown: readonly T[]) => ReactNode
}

/** A list of a report, of which the first part is shown. It can be downloaded. */
export function ReportList<T>({ items, omitted = 0, help, controls, save, children }: ReportListProps<T>) {
  const [shown, setShown] = useState(INITIAL_ITEMS)
  const remaining = items.length - shown
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="xs" align="flex-start">
        <Text size="sm" c="dimmed" component="div" style={{ flex: '1 1 16rem' }} maw="46rem">
          {help}
        </Text>
        {save && items.length > 0 && (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconDownload size={14} aria-hidden />}
            onClick={save}
          >
            {strings.download}
          </Button>
        )}
      </Group>
      {controls}
      {items.length === 0 && omitted === 0 && (
        <Text size="sm" c="dimmed">
          {strings.emptyList}
        </Text>
      )}
      {items.length > 0 && children(items.slice(0, shown))}
      {(remaining > 0 || omitted > 0) && (
        <Group gap="sm">
          {remaining > 0 && (
            <Button size="xs" variant="default" onClick={() => setShown(shown + PAGE_SIZE)}>
              {strings.showMore(Math.min(remaining, PAGE_SIZE))}
            </Button>
          )}
          {omitted > 0 && (
            <Text size="sm" c="dimmed">
              {items.length > 0 ? strings.omitted(omitted) : strings.noneListed(omitted)}
            </Text>
          )}
        </Group>
      )}
    </Stack>
  )
}
