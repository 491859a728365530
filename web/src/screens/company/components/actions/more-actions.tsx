import { ActionIcon } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconDots } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { strings as keyboard } from '#strings/keyboard.ts'
import { strings } from '#strings/trash.ts'
import { useCan } from '#web/api/use-can.ts'
import { useActions } from '#web/keyboard/actions.ts'
import { overlayButton } from '#web/ui/anchored.tsx'
import type { DeleteCompanyProps } from './more-menu.tsx'
import { DeleteCompany, MoreMenu } from './more-menu.tsx'

// Loaded when the menu opens.
const MoreMenuButton = overlayButton('menu', MoreMenu)

/** The menu of rarely used actions. */
export function MoreActions({ detail, onDeleted }: Omit<DeleteCompanyProps, 'close'>) {
  const mayDelete = useCan('delete')
  const [isDeleting, deletion] = useDisclosure(false)
  const navigate = useNavigate()
  const { id } = detail.company
  useActions([
    {
      id: 'find-duplicates',
      label: strings.findDuplicates,
      group: keyboard.company,
      run: () => navigate({ to: '/duplicates', search: { company: id } }),
    },
  ])
  return (
    <>
      <MoreMenuButton companyId={id} remove={mayDelete ? deletion.open : undefined}>
        <ActionIcon variant="default" size={36} aria-label={strings.more}>
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </MoreMenuButton>
      {isDeleting && <DeleteCompany detail={detail} onDeleted={onDeleted} close={deletion.close} />}
    </>
  )
}
