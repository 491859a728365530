import { Badge, Text } from '@mantine/core'
import { strings } from '#strings/general.ts'

/** The colour that stands for a score of 0 to 100 wherever one is shown. */
export const scoreColor = (score: number): string => (score >= 70 ? 'teal' : score >= 40 ? 'yellow' : 'red')

/** A score of 0 to 100, or that there is none. */
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
