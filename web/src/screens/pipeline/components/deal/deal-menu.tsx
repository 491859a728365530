import { ActionIcon } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconDots } from '@tabler/icons-react'
import { strings } from '#strings/pipeline.ts'
import type { Deal } from '#web/api/service.ts'
import { overlayButton } from '#web/ui/anchored.tsx'
import { companyNameOf } from '../../deals.ts'
import { useOpenDeal } from '../../hooks/use-open-deal.ts'
import { DealActions } from './deal-actions.tsx'
import { DeleteDeal } from './delete-deal.tsx'

const DealActionsButton = overlayButton('menu', DealActions)

/** The actions for a deal, including moving it without dragging. */
export function DealMenu({ deal }: { deal: Deal }) {
  const [isDeleting, deletion] = useDisclosure(false)
  const openDeal = useOpenDeal()
  return (
    <>
      <DealActionsButton deal={deal} remove={deletion.open}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={24}
          aria-label={strings.actionsOf(companyNameOf(deal))}
        >
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </DealActionsButton>
      {isDeleting && <DeleteDeal deal={deal} onDeleted={() => openDeal(null)} close={deletion.close} />}
    </>
  )
}
