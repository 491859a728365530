import { Group, Progress, Text } from '@mantine/core'
import { strings } from '#strings/company.ts'
import { formatPercent } from '#web/format/format.ts'
import { scoreColor } from '#web/ui/score.tsx'

const within = (value: number) => Math.min(100, Math.max(0, value))

/** A score from 0 to 100 as a bar with its number. */
export function ScoreBar({ name, score }: { name: string; score: number }) {
  return (
    <Bar
      label={strings.criterionScore(name, score)}
      value={score}
      words={String(score)}
      color={scoreColor(score)}
    />
  )
}

/** A share from 0 to 1 as a bar with its percentage. */
export function ShareBar({ label, share }: { label: string; share: number }) {
  return <Bar label={label} value={share * 100} words={formatPercent(share)} color="ink" />
}

interface BarProps {
  label: string
  value: number
  words: string
  color: string
}

function Bar({ label, value, words, color }: BarProps) {
  return (
    <Group gap="xs" wrap="nowrap" style={{ flex: '1 1 6rem' }}>
      <Progress.Root size="sm" style={{ flex: 1, minWidth: '3rem' }}>
        <Progress.Section value={within(value)} color={color} aria-label={label} />
      </Progress.Root>
      <Text
        size="sm"
        fw={600}
        w="2.75rem"
        ta="right"
        style={{ fontVariantNumeric: 'tabular-nums' }}
        aria-hidden
      >
        {words}
      </Text>
    </Group>
  )
}
