import { Menu } from '@mantine/core'
import { IconBuildingFactory2, IconLayoutSidebarRight, IconTrash } from '@tabler/icons-react'
import { strings } from '#strings/pipeline.ts'
import { strings as trash } from '#strings/trash.ts'
import type { Deal } from '#web/api/service.ts'
import { useCan } from '#web/api/use-can.ts'
import { AnchoredMenu, type OverlayProps } from '#web/ui/anchored.tsx'
import { ScreenMenuItem } from '#web/ui/menu-link.tsx'
import { useBoard } from '../../board-context.ts'
import { focusMoved, useOpenDeal } from '../../hooks/use-open-deal.ts'
import { StageItems } from '../stage-menu.tsx'

interface DealActionsProps {
  deal: Deal
  remove: () => void
}

/** The menu of a deal. */
export function DealActions({ deal, remove, ...menu }: DealActionsProps & OverlayProps) {
  const { move } = useBoard()
  const mayMove = useCan('write')
  const mayDelete = useCan('delete')
  const openDeal = useOpenDeal()
  const moveTo = (stage: string) => {
    move([deal], stage)
    focusMoved(deal.id)
  }
  return (
    <AnchoredMenu {...menu} position="bottom-end" width={230} withinPortal>
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
            <Menu.Item leftSection={<IconTrash size={16} aria-hidden />} onClick={remove}>
              {trash.deleteDeal}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </AnchoredMenu>
  )
}
