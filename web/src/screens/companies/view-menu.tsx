import { ActionIcon, Button, Popover, Stack } from '@mantine/core'
import { IconColumns3 } from '@tabler/icons-react'
import { Suspense } from 'react'
import { strings } from '#strings/companies.ts'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { SkeletonLines } from '#web/ui/states.tsx'
import type { Columns } from '#web/views/column-state.ts'
import type { Column } from './columns.tsx'
import type { ColumnActions } from './use-column-actions.ts'

// Loaded when it opens.
const ColumnChooser = lazyPart(() => import('./column-chooser.tsx'))
const Density = lazyPart(() => import('./density.tsx'))

interface ViewMenuProps {
  isNarrow: boolean
  shown: Columns
  known: ReadonlyMap<string, Column>
  actions: ColumnActions
}

/** The columns, which belong to the view, and the row density, stored per user. Cards have a density only. */
export function ViewMenu({ isNarrow, shown, known, actions }: ViewMenuProps) {
  const label = isNarrow ? strings.density : strings.columns
  return (
    <Popover position="bottom-end" withinPortal width={300} shadow="md" trapFocus returnFocus>
      <Popover.Target>
        {isNarrow ? (
          <ActionIcon variant="default" size={30} aria-label={label}>
            <IconColumns3 size={16} aria-hidden />
          </ActionIcon>
        ) : (
          <Button variant="default" size="xs" leftSection={<IconColumns3 size={16} aria-hidden />}>
            {label}
          </Button>
        )}
      </Popover.Target>
      <Popover.Dropdown aria-label={label} p="xs">
        <Suspense fallback={<SkeletonLines lines={8} />}>
          <Stack gap="sm">
            {!isNarrow && <ColumnChooser shown={shown} known={known} actions={actions} />}
            <Density />
          </Stack>
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  )
}
