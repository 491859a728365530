import { ActionIcon, Menu } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconBuildingFactory2, IconDots, IconLayoutSidebarRight, IconTrash } from '@tabler/icons-react'
import { strings } from '#strings/pipeline.ts'
import { strings as trash } from '#strings/trash.ts'
import type { Deal } from '#web/service/service.ts'
import { useMay } from '#web/service/use-may.ts'
import { ScreenMenuItem } from '#web/ui/menu-link.tsx'
import { useBoard } from './board-context.ts'
import { companyNameOf } from './deals.ts'
import { DeleteDeal } from './delete-deal.tsx'
import { StageItems } from './stage-menu.tsx'
import { focusMoved, useOpenDeal } from './use-open-deal.ts'

/** The actions for a deal, including moving it without dragging. */
export function DealMenu({ deal }: { deal: Deal }) {
  const { move } = useBoard()
  const mayMove = useMay('write')
  const mayDelete = useMay('delete')
  const [isDeleting, deletion] = useDisclosure(false)
  const openDeal = useOpenDeal()
  const moveTo = (stage: string) => {
    move([deal], stage)
    focusMoved(deal.id)
  }
  return (
    <>
      <Menu position="bottom-end" width={230} withinPortal>
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={24}
            aria-label={strings.actionsOf(companyNameOf(deal))}
          >
            <IconDots size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown mah="60vh" style={{ overflowY: 'auto' }}>
          <Menu.Item
            leftSection={<IconLayoutSidebarRight size={16} aria-hidden />}
            onClick={() => openDeal(deal.id)}
          >
            {strings.open}
          </Menu.Item>
          <ScreenMenuItem
            to="/companies/$id"
            params={{ id: deal.company_id }}
            leftSection={<IconBuildingFactory2 size={16} aria-hidden />}
          >
            {strings.openCompany}
          </ScreenMenuItem>
          {mayMove && (
            <>
              <Menu.Divider />
              <StageItems current={deal.stage} choose={moveTo} />
            </>
          )}
          {mayDelete && (
            <>
              <Menu.Divider />
              <Menu.Item leftSection={<IconTrash size={16} aria-hidden />} onClick={deletion.open}>
                {trash.deleteDeal}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {isDeleting && <DeleteDeal deal={deal} close={deletion.close} />}
    </>
  )
}
