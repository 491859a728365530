import { Menu } from '@mantine/core'
import { IconDownload, IconFileImport } from '@tabler/icons-react'
import { strings } from '#strings/companies.ts'
import { AnchoredMenu, type OverlayProps } from '#web/ui/anchored.tsx'
import { ScreenMenuItem } from '#web/ui/menu-link.tsx'

interface ListMenuProps {
  total: number
  mayImport: boolean
  mayExport: boolean
  canExport: boolean
  exportAll: () => void
}

/** The less frequent actions for the whole list. */
export function ListMenu({
  total,
  mayImport,
  mayExport,
  canExport,
  exportAll,
  ...menu
}: ListMenuProps & OverlayProps) {
  return (
    <AnchoredMenu {...menu} position="bottom-end" withinPortal>
      <Menu.Dropdown>
        {mayImport && (
          <ScreenMenuItem to="/companies/import" leftSection={<IconFileImport size={16} aria-hidden />}>
            {strings.importCompanies}
          </ScreenMenuItem>
        )}
        {mayExport && (
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
}
