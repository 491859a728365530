import { ActionIcon, Button, CloseButton, Group, Menu, Paper, Text } from '@mantine/core'
import { IconBulb, IconDots, IconDownload, IconProgress, IconStack2, IconTrash } from '@tabler/icons-react'
import { lazy, useLayoutEffect, useState } from 'react'
import { strings } from '#strings/companies.ts'
import { strings as lists } from '#strings/lists.ts'
import { strings as trash } from '#strings/trash.ts'
import type { Company } from '#web/api/service.ts'
import { useCan } from '#web/api/use-can.ts'
import { ReturnFocus } from '#web/browser/focus.ts'
import { idsFilter } from '#web/filters/tree.ts'
import { type Action, useActions } from '#web/keyboard/actions.ts'
import classes from '#web/lists/list.module.css'
import { LazyDialog } from '#web/ui/lazy.tsx'
import type { CompaniesSearch } from '../../companies-search.ts'
import type { ChangeCompanies } from '../../hooks/use-company-list.ts'
import { useExport } from '../../hooks/use-export.ts'
import { useHiddenCount } from '../../hooks/use-hidden-count.ts'
import { MAX_SELECTED, selection, useSelectedCount } from '../../selection.ts'
import { selected } from '../../shortcut-targets.ts'
import { ChangeDialog } from './change-dialog.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { SelectMatching } from './select-matching.tsx'

const StartBulkAction = lazy(() => import('#web/bulk-actions/start/start-bulk-action.tsx'))

interface SelectionBarProps {
  search: CompaniesSearch
  change: ChangeCompanies
  rows: readonly Company[]
  total: number
}

/** The actions for the selected companies. Hidden while none are selected. */
export function SelectionBar({ search, change, rows, total }: SelectionBarProps) {
  const count = useSelectedCount()
  const [dialog, setDialog] = useState<'bulk-action' | 'thesis_id' | 'status' | 'delete' | null>(null)
  const hidden = useHiddenCount(search)
  useLayoutEffect(() => selection.keepFor(search), [search])
  const download = useExport()
  const close = () => setDialog(null)
  const mayWrite = useCan('write')
  const mayExport = useCan('export')
  const mayRunAi = useCan('bulk')
  const mayDelete = useCan('delete')
  const isOverLimit = count > MAX_SELECTED
  const runAi = () => setDialog('bulk-action')
  const exportSelected = () => download.mutate('selected')
  const group = strings.selection
  // The keys of the list offer the other actions.
  const offered: (Action | false)[] = [
    mayRunAi && { id: 'run-ai', label: strings.runAi, group, run: runAi, disabled: isOverLimit },
    mayExport && {
      id: 'export-selected',
      label: strings.exportCsv,
      group,
      run: exportSelected,
      disabled: download.isPending,
    },
    { id: 'clear-selection', label: lists.clearSelection, group, run: selection.clear },
  ]
  useActions(count > 0 ? offered : [])
  const actions = [
    {
      label: strings.assignThesis,
      Icon: IconBulb,
      act: () => setDialog('thesis_id'),
      isOff: isOverLimit,
      isOffered: mayWrite,
    },
    {
      label: strings.changeStatus,
      Icon: IconProgress,
      act: () => setDialog('status'),
      isOff: isOverLimit,
      isOffered: mayWrite,
    },
    {
      label: strings.exportCsv,
      Icon: IconDownload,
      act: exportSelected,
      isOff: download.isPending,
      isOffered: mayExport,
    },
    {
      label: trash.delete,
      Icon: IconTrash,
      act: () => setDialog('delete'),
      isOff: isOverLimit,
      isOffered: mayDelete,
    },
  ].filter(({ isOffered }) => isOffered)
  // An open dialog stays, and says why nothing is selected any longer.
  if (count === 0 && !dialog) return null
  return (
    <>
      <Paper
        component="section"
        aria-label={strings.selection}
        className={classes.bar}
        withBorder
        shadow="lg"
      >
        <ReturnFocus />
        <div className={classes.barRow}>
          <Text size="sm" fw={600} role="status" style={{ whiteSpace: 'nowrap' }}>
            {lists.selected(count)}
          </Text>
          {mayRunAi && (
            <Button
              size="xs"
              leftSection={<IconStack2 size={16} aria-hidden />}
              disabled={isOverLimit}
              onClick={runAi}
            >
              {strings.runAi}
            </Button>
          )}
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
              <ActionIcon variant="default" size={30} hiddenFrom="sm" aria-label={lists.more}>
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
            aria-label={lists.clearSelection}
            title={lists.clearSelection}
            onClick={selection.clear}
          />
        </div>
        {isOverLimit && (
          <Text size="xs" c="dimmed">
            {strings.selectionLimit(MAX_SELECTED)}
          </Text>
        )}
        {hidden !== undefined && hidden !== 0 && <HiddenSelection hidden={hidden} change={change} />}
        <SelectMatching search={search} isNoneHidden={hidden === 0} rows={rows} total={total} />
      </Paper>
      {(dialog === 'thesis_id' || dialog === 'status') && (
        <ChangeDialog field={dialog} companies={selection.target()} close={close} />
      )}
      {dialog === 'delete' && <DeleteDialog targets={selected(rows)} close={close} />}
      {dialog === 'bulk-action' && (
        <LazyDialog close={close}>
          <StartBulkAction companies={selection.target()} close={close} />
        </LazyDialog>
      )}
    </>
  )
}

interface HiddenSelectionProps {
  /** How many selected companies the filter hides; 'some': perhaps some. */
  hidden: number | 'some'
  change: ChangeCompanies
}

/** Says how many selected companies the filter hides, and shows the selected ones alone. */
function HiddenSelection({ hidden, change }: HiddenSelectionProps) {
  const show = () => change({ filter: idsFilter([...selection.ids()], 'in'), q: undefined, by: undefined })
  return (
    <Group gap="xs" justify="center">
      <Text size="xs" role="status">
        {hidden === 'some' ? strings.someHidden : strings.hiddenByFilter(hidden)}
      </Text>
      <Button size="compact-xs" variant="light" onClick={show}>
        {strings.showSelected}
      </Button>
    </Group>
  )
}
