import { ActionIcon, Menu } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconCopy, IconDots, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { strings as keyboard } from '#strings/keyboard.ts'
import { strings } from '#strings/trash.ts'
import { useActions } from '#web/keyboard/actions.ts'
import { type CompanyDetail, service } from '#web/service/service.ts'
import { useMay } from '#web/service/use-may.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { ScreenMenuItem } from '#web/ui/menu-link.tsx'

/** The menu of rarely used actions. */
export function MoreActions({ detail, onDeleted }: Omit<DeleteCompanyProps, 'close'>) {
  const mayDelete = useMay('delete')
  const [isDeleting, deletion] = useDisclosure(false)
  const navigate = useNavigate()
  const duplicates = { to: '/duplicates', search: { company: detail.company.id } } as const
  useActions([
    {
      id: 'find-duplicates',
      label: strings.findDuplicates,
      group: keyboard.company,
      run: () => navigate(duplicates),
    },
  ])
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={strings.more}>
            <IconDots size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <ScreenMenuItem {...duplicates} leftSection={<IconCopy size={16} aria-hidden />}>
            {strings.findDuplicates}
          </ScreenMenuItem>
          {mayDelete && (
            <Menu.Item leftSection={<IconTrash size={16} aria-hidden />} onClick={deletion.open}>
              {strings.deleteCompany}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {isDeleting && <DeleteCompany detail={detail} onDeleted={onDeleted} close={deletion.close} />}
    </>
  )
}

interface DeleteCompanyProps {
  detail: CompanyDetail
  onDeleted: () => void
  close: () => void
}

/** Asks before the company is deleted, and says what goes with it. */
function DeleteCompany({ detail: { company, deals }, onDeleted, close }: DeleteCompanyProps) {
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
