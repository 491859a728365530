import { ActionIcon, Menu } from '@mantine/core'
import {
  IconArrowRight,
  IconBuildingFactory2,
  IconCheck,
  IconDots,
  IconLayoutSidebarRight,
} from '@tabler/icons-react'
import { strings } from '#strings/pipeline.ts'
import type { Deal } from '#web/service/service.ts'
import { useMay } from '#web/service/use-may.ts'
import { ScreenMenuItem } from '#web/ui/link.tsx'
import { formatWord } from '#web/words/format.ts'
import { companyNameOf } from './deals.ts'
import { useOpenDeal } from './use-open-deal.ts'

interface DealMenuProps {
  deal: Deal
  stages: string[]
  move: (deal: Deal, stage: string) => void
}

/** The actions for a deal, including moving it without dragging. */
export function DealMenu({ deal, stages, move }: DealMenuProps) {
  const mayMove = useMay('write')
  const openDeal = useOpenDeal()
  return (
    <Menu position="bottom-end" width={230} withinPortal>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
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
            <Menu.Label>{strings.moveTo}</Menu.Label>
          </>
        )}
        {mayMove &&
          stages.map((stage) => {
            const isHere = stage === deal.stage
            const Icon = isHere ? IconCheck : IconArrowRight
            return (
              <Menu.Item
                key={stage}
                leftSection={<Icon size={16} aria-hidden />}
                disabled={isHere}
                onClick={() => move(deal, stage)}
              >
                {formatWord(stage)}
              </Menu.Item>
            )
          })}
      </Menu.Dropdown>
    </Menu>
  )
}
