import { Button, Group, Text } from '@mantine/core'
import { IconArrowRight, IconChevronLeft, IconChevronRight, IconX } from '@tabler/icons-react'
import { strings } from '#strings/pipeline.ts'
import { useReturnFocus } from '#web/browser/focus.ts'
import type { Deal } from '#web/service/service.ts'
import { useBoard } from './board-context.ts'
import type { BoardStage } from './deal-cache.ts'
import { StageMenu } from './stage-menu.tsx'
import { PipelineTotals } from './stage-totals.tsx'
import type { HiddenStages } from './use-hidden-stages.ts'
import { focusMoved } from './use-open-deal.ts'
import type { DealsSelected } from './use-selection.ts'

interface PipelineBarProps {
  columns: readonly BoardStage[]
  selected: DealsSelected
  /** Whether the menu that moves the selected deals is open. */
  isMoving: boolean
  setMoving: (isMoving: boolean) => void
  hidden: HiddenStages
  /** Scrolls by one column. */
  scroll: (direction: -1 | 1) => void
}

/** The totals, or what can be done with the selected deals, in one line of constant height. */
export function PipelineBar({ columns, selected, isMoving, setMoving, hidden, scroll }: PipelineBarProps) {
  return (
    <Group justify="space-between" gap="xs" mih={28}>
      {selected.deals.length > 0 ? (
        <SelectionBar selected={selected} isMoving={isMoving} setMoving={setMoving} />
      ) : (
        <PipelineTotals columns={columns} />
      )}
      <Group gap={4}>
        {hidden.before > 0 && (
          <Button
            size="compact-sm"
            variant="subtle"
            color="gray"
            leftSection={<IconChevronLeft size={14} aria-hidden />}
            onClick={() => scroll(-1)}
          >
            {strings.moreStages(hidden.before)}
          </Button>
        )}
        {hidden.after > 0 && (
          <Button
            size="compact-sm"
            variant="subtle"
            color="gray"
            rightSection={<IconChevronRight size={14} aria-hidden />}
            onClick={() => scroll(1)}
          >
            {strings.moreStages(hidden.after)}
          </Button>
        )}
      </Group>
    </Group>
  )
}

type SelectionBarProps = Pick<PipelineBarProps, 'selected' | 'isMoving' | 'setMoving'>

function SelectionBar({ selected, isMoving, setMoving }: SelectionBarProps) {
  const { move } = useBoard()
  const { deals, clear } = selected
  useReturnFocus()
  const moveTo = (stage: string) => {
    move(deals, stage)
    clear()
    if (deals[0]) focusMoved(deals[0].id)
  }
  return (
    <Group gap="xs" role="region" aria-label={strings.selection}>
      <Text size="sm" fw={600} role="status">
        {strings.selectedCount(deals.length)}
      </Text>
      <StageMenu opened={isMoving} onChange={setMoving} current={stageOf(deals)} choose={moveTo}>
        <Button size="compact-sm" variant="default" leftSection={<IconArrowRight size={14} aria-hidden />}>
          {strings.moveSelected}
        </Button>
      </StageMenu>
      <Button
        size="compact-sm"
        variant="subtle"
        color="gray"
        leftSection={<IconX size={14} aria-hidden />}
        onClick={clear}
      >
        {strings.clearSelection}
      </Button>
    </Group>
  )
}

/** The stage of deals that are all in one. */
const stageOf = ([first, ...others]: readonly Deal[]): string | null =>
  first && others.every(({ stage }) => stage === first.stage) ? first.stage : null
