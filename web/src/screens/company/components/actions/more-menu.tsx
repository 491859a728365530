import { Menu } from '@mantine/core'
import { IconCopy, IconTrash } from '@tabler/icons-react'
import { strings } from '#strings/trash.ts'
import { AnchoredMenu, type OverlayProps } from '#web/ui/anchored.tsx'
import { ScreenMenuItem } from '#web/ui/menu-link.tsx'

interface MoreMenuProps {
  companyId: string
  /** Omitted if the user may not delete. */
  remove: (() => void) | undefined
}

/** The rarely used actions of a company. */
export default function MoreMenu({ companyId, remove, ...menu }: MoreMenuProps & OverlayProps) {
  return (
    <AnchoredMenu {...menu} position="bottom-end">
      <Menu.Dropdown>
        <ScreenMenuItem
          to="/duplicates"
          search={{ company: companyId }}
          leftSection={<IconCopy size={16} aria-hidden />}
        >
          {strings.findDuplicates}
        </ScreenMenuItem>
        {remove && (
          <Menu.Item leftSection={<IconTrash size={16} aria-hidden />} onClick={remove}>
            {strings.deleteCompany}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </AnchoredMenu>
  )
}
