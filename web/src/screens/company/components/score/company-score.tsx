import { Alert, Button, Divider, Group, Stack, Text, Title } from '@mantine/core'
import { IconAlertTriangle, IconTargetArrow } from '@tabler/icons-react'
import { Fragment } from 'react'
import { strings } from '#strings/company.ts'
import { useCan } from '#web/api/use-can.ts'
import { formatMoment, formatPercent, formatWord } from '#web/format/format.ts'
import { ScreenLink } from '#web/ui/link.tsx'
import { Section } from '#web/ui/section.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import type { CompanyRecord } from '../../company-fields.ts'
import {
  readableQuote,
  readScore,
  type ScoreCriterion,
  type ScoreDetails,
  scoredBy,
} from '../../score-details.ts'
import classes from '../company.module.css'
import { JsonValue } from '../profile/json-value.tsx'
import { ScoreBar } from './score-bar.tsx'
import { ScoreField } from './score-field.tsx'

interface CompanyScoreProps {
  company: CompanyRecord
  startScoring: () => void
}

/** The score with its reasons. */
export function CompanyScore({ company, startScoring }: CompanyScoreProps) {
  const mayScore = useCan('bulk')
  const details = readScore(company.llm_score_details)
  const overall = company.llm_score_overall
  return (
    <Section
      title={strings.scoreTitle}
      actions={
        details &&
        mayScore && (
          <Button size="compact-sm" variant="default" onClick={startScoring}>
            {strings.scoreAgain}
          </Button>
        )
      }
    >
      {overall !== null && (
        <Group gap="sm">
          <Text size="sm" c="dimmed">
            {strings.overall}
          </Text>
          <ScoreField company={company} />
        </Group>
      )}
      {details && <ScoreOrigin score={details} overall={overall} />}
      {details?.criteria.map((criterion, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat, and the order is fixed
        <Fragment key={index}>
          <Divider />
          <Criterion criterion={criterion} />
        </Fragment>
      ))}
      {!details && company.llm_score_details && <JsonValue value={company.llm_score_details} />}
      {!details && (
        <EmptyState
          icon={<IconTargetArrow />}
          title={overall === null ? strings.noScore : strings.scoreWithoutReasons}
          action={mayScore && <Button onClick={startScoring}>{strings.scoreCompany}</Button>}
        >
          {strings.noScoreHelp}
        </EmptyState>
      )}
    </Section>
  )
}

/** What gave the score, when, and against which thesis, with warnings. */
function ScoreOrigin({ score, overall }: { score: ScoreDetails; overall: number | null }) {
  return (
    <Stack gap="xs">
      <Text size="sm" c="dimmed" className="break-anywhere">
        {score.model && scoredBy(score.model)}
        {score.thesis && (
          <>
            {' '}
            {score.thesis.id ? (
              <ScreenLink to="/theses/$id" params={{ id: score.thesis.id }} underline="always" inherit>
                {strings.againstThesis(score.thesis.code)}
              </ScreenLink>
            ) : (
              strings.againstThesis(score.thesis.code)
            )}
          </>
        )}
        {score.scoredAt && ` · ${formatMoment(score.scoredAt)}`}
        {score.bulkAction && (
          <>
            {' · '}
            <ScreenLink to="/bulk-actions/$id" params={{ id: score.bulkAction }} underline="always" inherit>
              {strings.viewBulkAction}
            </ScreenLink>
          </>
        )}
      </Text>
      {score.overall !== null && overall !== null && score.overall !== overall && (
        <Text size="sm">{strings.scoreChanged(score.overall)}</Text>
      )}
      <Warnings warnings={score.warnings} />
    </Stack>
  )
}

/** Findings of a model that need review. */
export function Warnings({ warnings }: { warnings: string[] }) {
  if (warnings.length === 0) return null
  return (
    <Alert
      color="orange"
      styles={{ title: { color: 'var(--mantine-color-text)' } }}
      variant="outline"
      icon={<IconAlertTriangle aria-hidden />}
      title={strings.warnings}
    >
      <Stack component="ul" gap={4} m={0} ps="md" fz="sm">
        {[...new Set(warnings)].map((warning) => (
          <li key={warning} dir="auto" className="break-anywhere">
            {warning}
          </li>
        ))}
      </Stack>
    </Alert>
  )
}

function Quote({ label, text }: { label: string | null; text: string }) {
  return (
    <Text component="blockquote" size="sm" dir="auto" className={classes.quotation}>
      {label && `${label}: `}“<bdi>{text}</bdi>”
    </Text>
  )
}

function Criterion({ criterion: { name, weight, score, reason, evidence } }: { criterion: ScoreCriterion }) {
  return (
    <Stack gap={6}>
      <Group gap="sm" justify="space-between">
        <Group gap="xs" align="baseline" style={{ flex: '1 1 10rem', minWidth: 0 }}>
          <Title order={3} size="sm" className="break-anywhere">
            {formatWord(name)}
          </Title>
          {weight !== null && (
            <Text size="xs" c="dimmed">
              {strings.weight(formatPercent(weight))}
            </Text>
          )}
        </Group>
        <Group style={{ flex: '1 1 10rem' }} maw={280}>
          {score !== null && <ScoreBar name={formatWord(name)} score={score} />}
        </Group>
      </Group>
      {reason && (
        <Text size="sm" dir="auto" className={classes.prose}>
          {reason}
        </Text>
      )}
      {evidence.length > 0 && (
        <Stack gap={4}>
          <Text size="xs" c="dimmed">
            {strings.evidence}
          </Text>
          {[...new Set(evidence)].map((words) => (
            <Quote key={words} {...readableQuote(words)} />
          ))}
        </Stack>
      )}
    </Stack>
  )
}
