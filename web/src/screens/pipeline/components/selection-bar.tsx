import { Button, Group, Text } from '@mantine/core'
import { IconArrowRight, IconX } from '@tabler/icons-react'
import { strings } from '#strings/pipeline.ts'
import type { Deal } from '#web/api/service.ts'
import { useReturnFocus } from '#web/browser/focus.ts'
import { useBoard } from '../board-context.ts'
import { focusMoved } from '../hooks/use-open-deal.ts'
import type { DealsSelected } from '../hooks/use-selection.ts'
import { StageMenu } from './stage-menu.tsx'

interface SelectionBarProps {
  selected: DealsSelected
  /** Whether the menu that moves the deals is open. */
  isMoving: boolean
  setMoving: (isMoving: boolean) => void
}

/** The actions for the selected deals. */
export function SelectionBar({ selected, isMoving, setMoving }: SelectionBarProps) {
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

/** The stage that all of the deals are in; null if they differ. */
const stageOf = ([first, ...others]: readonly Deal[]): string | null =>
  first && others.every(({ stage }) => stage === first.stage) ? first.stage : null
