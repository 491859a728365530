import { useDroppable } from '@dnd-kit/core'
import { Badge, Button, Group, Text, Title, Tooltip } from '@mantine/core'
import { useId, useState } from 'react'
import { strings } from '#strings/pipeline.ts'
import type { Deal } from '#web/service/service.ts'
import { formatNumber, formatWord } from '#web/words/format.ts'
import classes from './board.module.css'
import { DealCard } from './deal-card.tsx'
import type { Column } from './deals.ts'

interface BoardColumnProps {
  column: Column
  stages: string[]
  open: string | undefined
  isCompact: boolean
  move: (deal: Deal, stage: string) => void
}

const PAGE_SIZE = 50

/** A stage with its deals. */
export function BoardColumn({ column, stages, open, isCompact, move }: BoardColumnProps) {
  const { stage, deals, total, expected } = column
  const { setNodeRef, isOver } = useDroppable({ id: stage })
  const [visibleCount, setVisibleCount] = useState(PAGE_SIZE)
  const id = useId()
  const more = Math.min(PAGE_SIZE, deals.length - visibleCount)
  return (
    <section ref={setNodeRef} className={classes.column} data-over={isOver || undefined} aria-labelledby={id}>
      <div className={classes.head}>
        <Group justify="space-between" wrap="nowrap" gap="xs">
          <Title order={2} size="h6" id={id} lineClamp={2} className="break-anywhere">
            {formatWord(stage)}
          </Title>
          <Badge variant="default" size="sm" aria-label={strings.deals(total)} circle={total < 10}>
            {formatNumber(total)}
          </Badge>
        </Group>
        <Tooltip label={strings.expectedHelp} multiline w={240} openDelay={400}>
          <Text size="xs" c="dimmed" w="fit-content">
            {strings.expected(expected.toLocaleString(undefined, { maximumFractionDigits: 1 }))}
          </Text>
        </Tooltip>
      </div>
      <div className={classes.body}>
        {total === 0 && (
          <Text size="xs" c="dimmed" ta="center" py="md">
            {strings.emptyColumn}
          </Text>
        )}
        <ul className={classes.cards}>
          {deals.slice(0, visibleCount).map((deal) => (
            <li key={deal.id}>
              <DealCard
                deal={deal}
                stages={stages}
                isOpen={open === deal.id}
                isCompact={isCompact}
                move={move}
              />
            </li>
          ))}
        </ul>
        {more > 0 && (
          <Button
            variant="subtle"
            size="xs"
            fullWidth
            mt="xs"
            onClick={() => setVisibleCount(visibleCount + PAGE_SIZE)}
          >
            {strings.showMore(more)}
          </Button>
        )}
      </div>
    </section>
  )
}
