import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconDots, IconDownload, IconFileImport, IconPlus } from '@tabler/icons-react'
import { strings as lists } from '#strings/lists.ts'
import { strings } from '#strings/people.ts'
import { useCan } from '#web/api/use-can.ts'
import { useActions } from '#web/keyboard/actions.ts'
import type { ListSearch } from '#web/lists/list-search.ts'
import { AnchoredMenu, type OverlayProps, overlayButton } from '#web/ui/anchored.tsx'
import { ScreenMenuItem } from '#web/ui/menu-link.tsx'
import { useExport } from '../hooks/use-export.ts'

interface ListMenuProps {
  total: number
  /** undefined: the user may not export. */
  exportAll: (() => void) | undefined
  canExport: boolean
  mayImport: boolean
}

/** The less frequent actions for the whole list. */
const ListMenu = ({ total, canExport, mayImport, exportAll, ...menu }: ListMenuProps & OverlayProps) => (
  <AnchoredMenu {...menu} position="bottom-end" withinPortal>
    <Menu.Dropdown>
      {mayImport && (
        <ScreenMenuItem to="/people/import" leftSection={<IconFileImport size={16} aria-hidden />}>
          {strings.importPeople}
        </ScreenMenuItem>
      )}
      {exportAll && (
        <Menu.Item
          leftSection={<IconDownload size={16} aria-hidden />}
          disabled={!canExport}
          onClick={exportAll}
        >
          {strings.exportAll(total)}
        </Menu.Item>
      )}
    </Menu.Dropdown>
  </AnchoredMenu>
)

const ListMenuButton = overlayButton('menu', ListMenu)

interface ListActionsProps {
  search: ListSearch
  total: number
  create: () => void
}

/** The actions for the whole list. */
export function ListActions({ search, total, create }: ListActionsProps) {
  const download = useExport()
  const mayExport = useCan('export')
  const mayWrite = useCan('write')
  const mayImport = useCan('import')
  const exportAll = () => download.mutate(search)
  const canExport = total > 0 && !download.isPending
  useActions([
    mayExport && {
      id: 'export-people',
      label: strings.exportAll(total),
      group: strings.listGroup,
      run: exportAll,
      disabled: !canExport,
    },
    mayWrite && {
      id: 'new-person',
      label: strings.newPerson,
      group: strings.listGroup,
      keys: ['c'],
      run: create,
    },
  ])
  return (
    <>
      {mayWrite && (
        <Button size="xs" leftSection={<IconPlus size={16} aria-hidden />} onClick={create}>
          {strings.newPerson}
        </Button>
      )}
      {(mayExport || mayImport) && (
        <ListMenuButton
          total={total}
          canExport={canExport}
          mayImport={mayImport}
          exportAll={mayExport ? exportAll : undefined}
        >
          <ActionIcon variant="default" size={30} aria-label={lists.more}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </ListMenuButton>
      )}
    </>
  )
}
