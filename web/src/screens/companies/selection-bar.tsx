import { ActionIcon, Button, CloseButton, Menu, Paper, Text } from '@mantine/core'
import { IconBulb, IconDots, IconDownload, IconProgress, IconStack2 } from '@tabler/icons-react'
import { lazy, useState } from 'react'
import { strings } from '#strings/companies.ts'
import { LazyDialog } from '#web/ui/lazy-dialog.tsx'
import { ChangeDialog } from './change-dialog.tsx'
import classes from './companies.module.css'
import type { CompaniesSearch } from './companies-search.ts'
import { SelectMatching } from './select-matching.tsx'
import { MAX_SELECTED, selection, useSelectedCount } from './selection.ts'
import { useExport } from './use-export.ts'

const StartBulkAction = lazy(() => import('#web/screens/bulk-actions/start-bulk-action.tsx'))

interface SelectionBarProps {
  search: CompaniesSearch
  rows: readonly { id: string }[]
  total: number
}

/** What can be done with the companies that are selected, as long as any are. */
export function SelectionBar({ search, rows, total }: SelectionBarProps) {
  const count = useSelectedCount()
  const [asks, setAsks] = useState<'bulk-action' | 'thesis_id' | 'status' | null>(null)
  const download = useExport()
  const close = () => setAsks(null)
  const isTooMany = count > MAX_SELECTED
  const actions = [
    { label: strings.assignThesis, Icon: IconBulb, act: () => setAsks('thesis_id'), isOff: isTooMany },
    { label: strings.changeStatus, Icon: IconProgress, act: () => setAsks('status'), isOff: isTooMany },
    {
      label: strings.exportCsv,
      Icon: IconDownload,
      act: () => download.mutate('selected'),
      isOff: download.isPending,
    },
  ]
  if (count === 0) return null
  return (
    <>
      <Paper
        component="section"
        aria-label={strings.selection}
        className={classes.bar}
        withBorder
        shadow="lg"
      >
        <div className={classes.barRow}>
          <Text size="sm" fw={600} role="status" style={{ whiteSpace: 'nowrap' }}>
            {strings.selected(count)}
          </Text>
          <Button
            size="xs"
            leftSection={<IconStack2 size={16} aria-hidden />}
            disabled={isTooMany}
            onClick={() => setAsks('bulk-action')}
          >
            {strings.bulkAction}
          </Button>
          {actions.map(({ label, Icon, act, isOff }) => (
            <Button
              key={label}
              size="xs"
              variant="default"
              visibleFrom="sm"
              leftSection={<Icon size={16} aria-hidden />}
              disabled={isOff}
              onClick={act}
            >
              {label}
            </Button>
          ))}
          <Menu position="top-end" withinPortal>
            <Menu.Target>
              <ActionIcon variant="default" size={30} hiddenFrom="sm" aria-label={strings.more}>
                <IconDots size={16} aria-hidden />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              {actions.map(({ label, Icon, act, isOff }) => (
                <Menu.Item
                  key={label}
                  leftSection={<Icon size={16} aria-hidden />}
                  disabled={isOff}
                  onClick={act}
                >
                  {label}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
          <CloseButton
            aria-label={strings.clearSelection}
            title={strings.clearSelection}
            onClick={selection.clear}
          />
        </div>
        {isTooMany && (
          <Text size="xs" c="dimmed">
            {strings.mostAtOnce(MAX_SELECTED)}
          </Text>
        )}
        <SelectMatching search={search} rows={rows} total={total} />
      </Paper>
      {(asks === 'thesis_id' || asks === 'status') && (
        <ChangeDialog field={asks} ids={[...selection.ids()]} close={close} />
      )}
      {asks === 'bulk-action' && (
        <LazyDialog close={close}>
          <StartBulkAction companyIds={[...selection.ids()]} close={close} />
        </LazyDialog>
      )}
    </>
  )
}
