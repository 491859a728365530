import { useDraggable } from '@dnd-kit/core'
import { ActionIcon, Group, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconGripVertical } from '@tabler/icons-react'
import { memo } from 'react'
import { strings } from '#strings/pipeline.ts'
import type { Deal } from '#web/service/service.ts'
import { useMay } from '#web/service/use-may.ts'
import { Age } from '#web/ui/age.tsx'
import { ScreenLink } from '#web/ui/link.tsx'
import classes from './deal-card.module.css'
import { DealMenu } from './deal-menu.tsx'
import { Probability, StatusBadge } from './deal-values.tsx'
import { companyNameOf, firstLineOf } from './deals.ts'
import { useOpenDeal } from './use-open-deal.ts'

interface DealCardProps {
  deal: Deal
  stages: string[]
  isOpen: boolean
  isCompact: boolean
  move: (deal: Deal, stage: string) => void
}

/** A deal on the board. Mouse and touch drag the card, the keyboard its handle. */
export const DealCard = memo(function DealCard({ deal, stages, isOpen, isCompact, move }: DealCardProps) {
  const mayMove = useMay('write')
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, isDragging } = useDraggable({
    id: deal.id,
    data: { deal },
    disabled: !mayMove,
  })
  const openDeal = useOpenDeal()
  const { onKeyDown, ...ofPointer } = listeners ?? {}
  return (
    <article
      ref={setNodeRef}
      className={classes.card}
      data-open={isOpen || undefined}
      data-lifted={isDragging || undefined}
      data-compact={isCompact || undefined}
      {...ofPointer}
    >
      <div className={classes.head}>
        <Text size="sm" fw={600} lineClamp={2} className={`${classes.name} break-anywhere`} dir="auto">
          <ScreenLink
            to="/companies/$id"
            params={{ id: deal.company_id }}
            inherit
            c="inherit"
            draggable={false}
            title={strings.openCompany}
          >
            {companyNameOf(deal)}
          </ScreenLink>
        </Text>
        <Group gap={0} wrap="nowrap">
          <DealMenu deal={deal} stages={stages} move={move} />
          {mayMove && (
            <ActionIcon
              ref={setActivatorNodeRef}
              variant="subtle"
              color="gray"
              size="sm"
              style={{ cursor: 'inherit' }}
              {...attributes}
              data-handle={deal.id}
              aria-label={strings.drag(companyNameOf(deal))}
              onKeyDown={onKeyDown as React.KeyboardEventHandler}
            >
              <IconGripVertical size={16} aria-hidden />
            </ActionIcon>
          )}
        </Group>
      </div>
      <UnstyledButton className={classes.open} data-deal={deal.id} onClick={() => openDeal(deal.id)}>
        <VisuallyHidden>{strings.openDeal(companyNameOf(deal))}</VisuallyHidden>
        <DealFacts deal={deal} isCompact={isCompact} />
      </UnstyledButton>
    </article>
  )
})

function DealFacts({ deal, isCompact }: { deal: Deal; isCompact: boolean }) {
  const line = firstLineOf(deal.notes)
  return (
    <>
      {line && (
        <Text span size="xs" c="dimmed" lineClamp={isCompact ? 1 : 2} className="break-anywhere" dir="auto">
          {line}
        </Text>
      )}
      <Probability probability={deal.probability} />
      <Group component="span" gap="xs" justify="space-between" wrap="nowrap">
        <Age timestamp={deal.updated_at} size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }} />
        {deal.status !== 'active' && <StatusBadge status={deal.status} />}
      </Group>
    </>
  )
}

/** The card that follows the pointer while dragging. */
export function DealCardOverlay({ deal, isCompact }: { deal: Deal; isCompact: boolean }) {
  return (
    <div className={`${classes.card} ${classes.overlay}`} data-compact={isCompact || undefined}>
      <div className={classes.head}>
        <Text size="sm" fw={600} lineClamp={2} className={`${classes.name} break-anywhere`} dir="auto">
          {companyNameOf(deal)}
        </Text>
      </div>
      <div className={classes.open}>
        <DealFacts deal={deal} isCompact={isCompact} />
      </div>
    </div>
  )
}
