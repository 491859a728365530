import { Badge, Group, Progress, Text } from '@mantine/core'
import { formatPercent, formatWord } from '#web/format/format.ts'
import { statusColor } from '../../deals.ts'

/** A probability from 0 to 100 as a number with a thin bar. */
export function Probability({ probability }: { probability: number }) {
  return (
    <Group gap={8} wrap="nowrap" component="span">
      <Progress value={probability} size={4} aria-hidden style={{ flex: 1, minWidth: 32 }} component="span" />
      <Text span size="xs" fw={600} style={{ fontVariantNumeric: 'tabular-nums' }}>
        {formatPercent(probability / 100)}
      </Text>
    </Group>
  )
}

export function StatusBadge({ status }: { status: string }) {
  return (
    <Badge
      variant="light"
      color={statusColor(status)}
      radius="sm"
      size="sm"
      tt="none"
      maw="100%"
      miw={0}
      component="span"
    >
      {formatWord(status)}
    </Badge>
  )
}
