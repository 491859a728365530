import { ActionIcon } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconDots } from '@tabler/icons-react'
import { lazy } from 'react'
import { strings } from '#strings/pipeline.ts'
import type { Deal } from '#web/api/service.ts'
import { LazyDialog } from '#web/ui/lazy/lazy-dialog.tsx'
import { lazyOverlay } from '#web/ui/lazy/lazy-overlay.tsx'
import { companyNameOf } from '../../deals.ts'

const DeleteDeal = lazy(async () => ({ default: (await import('./delete-deal.tsx')).DeleteDeal }))
const DealActions = lazyOverlay('menu', () => import('./deal-actions.tsx'))

/** The actions for a deal, including moving it without dragging. */
export function DealMenu({ deal }: { deal: Deal }) {
  const [isDeleting, deletion] = useDisclosure(false)
  return (
    <>
      <DealActions deal={deal} remove={deletion.open}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={24}
          aria-label={strings.actionsOf(companyNameOf(deal))}
        >
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </DealActions>
      {isDeleting && (
        <LazyDialog close={deletion.close}>
          <DeleteDeal deal={deal} close={deletion.close} />
        </LazyDialog>
      )}
    </>
  )
}
