import { Button, Group } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { strings } from '#strings/pipeline.ts'
import type { BoardStage } from '../deal-cache.ts'
import type { HiddenStages } from '../hooks/use-hidden-stages.ts'
import type { DealsSelected } from '../hooks/use-selection.ts'
import { PipelineTotals } from './board/stage-totals.tsx'
import { SelectionBar } from './selection-bar.tsx'

interface PipelineBarProps {
  columns: readonly BoardStage[]
  selected: DealsSelected
  /** Whether the menu that moves the selected deals is open. */
  isMoving: boolean
  setMoving: (isMoving: boolean) => void
  hidden: HiddenStages
  /** Scrolls by one column. */
  scroll: (direction: -1 | 1) => void
  /** At the end of the line. */
  children?: ReactNode
}

/** The totals, or the actions for the selected deals, in one line of constant height. */
export function PipelineBar({
  columns,
  selected,
  isMoving,
  setMoving,
  hidden,
  scroll,
  children,
}: PipelineBarProps) {
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
            visibleFrom="xs"
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
            visibleFrom="xs"
            size="compact-sm"
            variant="subtle"
            color="gray"
            rightSection={<IconChevronRight size={14} aria-hidden />}
            onClick={() => scroll(1)}
          >
            {strings.moreStages(hidden.after)}
          </Button>
        )}
        {children}
      </Group>
    </Group>
  )
}
