import { Menu } from '@mantine/core'
import { IconCopy, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { strings } from '#strings/trash.ts'
import { type CompanyDetail, service } from '#web/api/service.ts'
import { AnchoredMenu, type OverlayProps } from '#web/ui/anchored.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { ScreenMenuItem } from '#web/ui/menu-link.tsx'

interface MoreMenuProps {
  companyId: string
  /** Omitted if the user may not delete. */
  remove: (() => void) | undefined
}

/** The rarely used actions of a company. */
export function MoreMenu({ companyId, remove, ...menu }: MoreMenuProps & OverlayProps) {
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

export interface DeleteCompanyProps {
  detail: CompanyDetail
  onDeleted: () => void
  close: () => void
}

/** Asks before the company is deleted, and says what goes with it. */
export function DeleteCompany({ detail: { company, deals }, onDeleted, close }: DeleteCompanyProps) {
  const queryClient = useQueryClient()
  const act = async (isShown: () => boolean) => {
    await service.deleteCompany({ params: { id: company.id } })
    if (isShown()) onDeleted()
    for (const resource of ['companies', 'deals', 'stats', 'activity'])
      queryClient.invalidateQueries({ queryKey: [resource] })
  }
  return (
    <ConfirmDialog
      title={strings.deleteCompanyTitle(company.name)}
      confirm={strings.deleteCompany}
      isDangerous
      act={act}
      close={close}
    >
      {strings.deleteCompanyHelp(deals.length)} {strings.canRestore}
    </ConfirmDialog>
  )
}
