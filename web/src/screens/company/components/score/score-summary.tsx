import { Button, Group, Stack, Text } from '@mantine/core'
import { strings } from '#strings/company.ts'
import { useCan } from '#web/api/use-can.ts'
import { formatDay, formatWord } from '#web/format/format.ts'
import { Section } from '#web/ui/section.tsx'
import type { CompanyRecord } from '../../company-fields.ts'
import { readScore, scoredBy } from '../../score-details.ts'
import { ScoreBar } from './score-bar.tsx'
import { ScoreField } from './score-field.tsx'

interface ScoreSummaryProps {
  company: CompanyRecord
  startScoring: () => void
  showReasons: () => void
}

/** The score at a glance, with the beginning of the reasons. */
export function ScoreSummary({ company, startScoring, showReasons }: ScoreSummaryProps) {
  const mayScore = useCan('bulk')
  const details = readScore(company.llm_score_details)
  const overall = company.llm_score_overall
  return (
    <Section
      title={strings.scoreTitle}
      actions={
        (details || mayScore) && (
          <Button size="compact-sm" variant="default" onClick={details ? showReasons : startScoring}>
            {details ? strings.whyThisScore : strings.scoreCompany}
          </Button>
        )
      }
    >
      <Group gap="sm" wrap="nowrap">
        <div style={{ flexShrink: 0 }}>
          <ScoreField company={company} />
        </div>
        {overall !== null && (
          <Text size="sm" c="dimmed" className="break-anywhere">
            {details?.model ? scoredBy(details.model) : strings.scoreWithoutReasons}
            {details?.scoredAt && ` · ${formatDay(details.scoredAt)}`}
          </Text>
        )}
      </Group>
      {details && details.criteria.length > 0 && (
        <Stack gap={6}>
          {details.criteria.map(({ name, score, reason }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat, and the order is fixed
            <div key={index}>
              <Group gap="xs" justify="space-between" wrap="nowrap">
                <Text size="sm" style={{ flex: '1 1 50%', minWidth: 0 }} lineClamp={2}>
                  {formatWord(name)}
                </Text>
                {score !== null && <ScoreBar name={formatWord(name)} score={score} />}
              </Group>
              {reason && (
                <Text size="xs" c="dimmed" lineClamp={2} dir="auto" className="break-anywhere">
                  {reason}
                </Text>
              )}
            </div>
          ))}
        </Stack>
      )}
    </Section>
  )
}
