import { ActionIcon } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconDots } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { lazy } from 'react'
import { strings as keyboard } from '#strings/keyboard.ts'
import { strings } from '#strings/trash.ts'
import { useCan } from '#web/api/use-can.ts'
import { useActions } from '#web/keyboard/actions.ts'
import { LazyDialog } from '#web/ui/lazy/lazy-dialog.tsx'
import { lazyOverlay } from '#web/ui/lazy/lazy-overlay.tsx'
import type { DeleteCompanyProps } from './more-menu.tsx'

// Loaded when the menu opens.
const MoreMenu = lazyOverlay('menu', async () => ({ default: (await import('./more-menu.tsx')).MoreMenu }))
const DeleteCompany = lazy(async () => ({ default: (await import('./more-menu.tsx')).DeleteCompany }))

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
      <MoreMenu companyId={id} remove={mayDelete ? deletion.open : undefined}>
        <ActionIcon variant="default" size={36} aria-label={strings.more}>
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </MoreMenu>
      {isDeleting && (
        <LazyDialog close={deletion.close}>
          <DeleteCompany detail={detail} onDeleted={onDeleted} close={deletion.close} />
        </LazyDialog>
      )}
    </>
  )
}
