import { Badge, Text } from '@mantine/core'
import { strings } from '#strings/general.ts'

/** The color for a score from 0 to 100. */
export const scoreColor = (score: number): string => (score >= 70 ? 'teal' : score >= 40 ? 'yellow' : 'red')

/** A score from 0 to 100, or a dash. */
export function ScoreBadge({ score }: { score: number | null }) {
  if (score === null)
    return (
      <Text span c="dimmed">
        {strings.none}
      </Text>
    )
  return (
    <Badge variant="light" color={scoreColor(score)} radius="sm" size="lg" style={{ minWidth: '2.75rem' }}>
      {score}
    </Badge>
  )
}
