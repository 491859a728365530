import { ActionIcon, Badge, Button, Group, Paper, Progress, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconMinus, IconThumbDown, IconThumbUp } from '@tabler/icons-react'
import { BUILTIN_MODEL } from '#src/client/client.ts'
import { strings } from '#strings/matches.ts'
import type { ThesisMatch } from '#web/api/service.ts'
import { countryName } from '#web/format/countries.ts'
import { formatDay, formatPercent } from '#web/format/format.ts'
import type { openedFrom } from '#web/lists/list-position.ts'
import { ScreenLink } from '#web/ui/link.tsx'
import { ScoreBadge } from '#web/ui/score.tsx'
import type { MatchActions } from '../hooks/use-matches.ts'

interface MatchCardProps extends MatchActions {
  match: ThesisMatch
  thesis: string
  mayWrite: boolean
  createDeal: (match: ThesisMatch) => void
  link: ReturnType<typeof openedFrom>
}

/** A match with its fit, its reasons, and its actions. */
export function MatchCard({ match, thesis, mayWrite, judge, assign, createDeal, link }: MatchCardProps) {
  const position = match.country_code ? countryName(match.country_code) : match.country
  return (
    <Paper withBorder p="md" component="li">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Stack gap={2} style={{ flex: '1 1 16rem', minWidth: 0 }}>
          <Group gap="xs">
            <ScreenLink
              to="/companies/$id"
              params={{ id: match.id }}
              {...link}
              data-record={match.id}
              fw={600}
              dir="auto"
              className="break-anywhere"
            >
              {match.name}
            </ScreenLink>
            {match.is_new && <Badge size="sm">{strings.isNew}</Badge>}
          </Group>
          <Text size="xs" c="dimmed" dir="auto">
            {[match.industry_category, match.hq_city, position].filter(Boolean).join(', ')}
          </Text>
          {match.thesis_score && <Score {...match.thesis_score} />}
        </Stack>
        <Stack gap={4} w={120}>
          <Text size="xs">{strings.fit(formatPercent(match.fit))}</Text>
          <Progress value={match.fit * 100} size="sm" aria-label={strings.fit(formatPercent(match.fit))} />
        </Stack>
      </Group>
      <Reasons reasons={match.reasons} />
      {mayWrite && (
        <Group gap="xs" mt="sm">
          <VerdictButton match={match} verdict="up" judge={judge} />
          <VerdictButton match={match} verdict="down" judge={judge} />
          <Button
            size="xs"
            variant="default"
            disabled={match.thesis_id === thesis}
            onClick={() => assign(match)}
          >
            {match.thesis_id === thesis ? strings.isAssigned : strings.assign}
          </Button>
          <Button size="xs" variant="default" onClick={() => createDeal(match)}>
            {strings.newDeal}
          </Button>
        </Group>
      )}
    </Paper>
  )
}

/** The score against this thesis: of which model, and when. */
function Score({ overall, model, scored_at, is_outdated }: NonNullable<ThesisMatch['thesis_score']>) {
  const day = formatDay(scored_at)
  return (
    <Group gap="xs">
      <Text size="xs">{strings.score}</Text>
      <ScoreBadge score={overall} />
      <Text size="xs" c="dimmed" className="break-anywhere">
        {model === BUILTIN_MODEL ? strings.demoScore(day) : strings.scoredBy(model, day)}
        {is_outdated && `. ${strings.outdated}`}
      </Text>
    </Group>
  )
}

interface VerdictButtonProps extends Pick<MatchActions, 'judge'> {
  match: ThesisMatch
  verdict: 'up' | 'down'
}

function VerdictButton({ match, verdict, judge }: VerdictButtonProps) {
  const isGiven = match.verdict === verdict
  const give = verdict === 'up' ? strings.approve : strings.reject
  const label = (isGiven ? strings.clear : give)(match.name)
  const Icon = verdict === 'up' ? IconThumbUp : IconThumbDown
  return (
    <ActionIcon
      variant={isGiven ? 'filled' : 'default'}
      color={verdict === 'up' ? 'teal' : 'red'}
      aria-label={label}
      aria-pressed={isGiven}
      title={label}
      onClick={() => judge(match, isGiven ? null : verdict)}
    >
      <Icon size={16} aria-hidden />
    </ActionIcon>
  )
}

/** Which criteria the company meets, with its own words. */
function Reasons({ reasons }: Pick<ThesisMatch, 'reasons'>) {
  return (
    <Stack
      gap={4}
      component="ul"
      m={0}
      mt="sm"
      p={0}
      style={{ listStyle: 'none' }}
      aria-label={strings.reasons}
    >
      {reasons.map(({ criterion, kind, met, negative, quote }) => (
        <Group key={criterion} component="li" gap="xs" wrap="nowrap" align="flex-start">
          <ReasonIcon met={met} negative={negative} />
          <Text size="sm" c={met ? undefined : 'dimmed'} dir="auto" className="break-anywhere">
            {negative ? `${strings.avoid}: ` : kind === 'must' ? `${strings.required}: ` : ''}
            {criterion}
            {quote && (
              <Text component="q" size="sm" c="dimmed" display="block" dir="auto">
                {quote}
              </Text>
            )}
          </Text>
        </Group>
      ))}
    </Stack>
  )
}

function ReasonIcon({ met, negative }: { met: boolean; negative: boolean }) {
  const label = met ? strings.met : strings.unmet
  const Icon = met ? (negative ? IconAlertTriangle : IconCheck) : IconMinus
  const color = met ? (negative ? 'orange' : 'teal') : 'gray'
  return (
    <Icon
      size={16}
      role="img"
      aria-label={label}
      color={`var(--mantine-color-${color}-filled)`}
      style={{ flexShrink: 0, marginTop: 3 }}
    />
  )
}
