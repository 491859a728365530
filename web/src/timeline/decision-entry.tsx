import { Badge, Group, Stack, Text, ThemeIcon } from '@mantine/core'
import { IconGavel } from '@tabler/icons-react'
import { lazy } from 'react'
import { strings } from '#strings/timeline.ts'
import { Person } from '#web/activity/person.tsx'
import type { Decision } from '#web/api/service.ts'
import { nameFromEmail } from '#web/fields/people.ts'
import { formatDate, formatWord } from '#web/format/format.ts'
import { Age } from '#web/ui/age.tsx'
import { LazyPart } from '#web/ui/lazy.tsx'
import { ScreenLink } from '#web/ui/link.tsx'
import classes from './timeline.module.css'

// Its parser is large.
const Markdown = lazy(() => import('#web/ui/markdown/markdown.tsx'))

interface DecisionEntryProps {
  decision: Decision
  /** The email address of the signed-in user. */
  me: string | undefined
  /** Whether the page is about another record than the company. */
  showsCompany: boolean
}

/** A decision: what was decided and why, who voted how, and when to look again. */
export function DecisionEntry({ decision, me, showsCompany }: DecisionEntryProps) {
  const { outcome, reasons, body, votes, asked, revisit_on, author_email } = decision
  const voters = new Set(votes.map(({ user_email }) => user_email))
  const waiting = outcome === null ? asked.filter((email) => !voters.has(email)) : []
  return (
    <article className={classes.decision} data-decision={decision.id}>
      <ThemeIcon variant="light" size={28} radius="xl" aria-hidden>
        <IconGavel size={16} stroke={1.8} />
      </ThemeIcon>
      <Stack gap={6} miw={0} fz="sm">
        <Group gap="0.25rem 0.5rem" mih={28}>
          <Text size="sm" component="span">
            <Person email={author_email} me={me} startsSentence />{' '}
            {outcome === null ? strings.asks : strings.decided[outcome]}
            {showsCompany && (
              <>
                {' '}
                {strings.aboutCompany}{' '}
                <ScreenLink
                  to="/companies/$id"
                  params={{ id: decision.company_id }}
                  inherit
                  underline="always"
                  dir="auto"
                >
                  {decision.company_name}
                </ScreenLink>
              </>
            )}
          </Text>
          <Age timestamp={decision.decided_at ?? decision.created_at} span size="xs" c="dimmed" />
          {outcome === null && <Badge color="orange">{strings.open}</Badge>}
        </Group>
        {reasons.length > 0 && (
          <Group gap={4} component="ul" m={0} p={0} aria-label={strings.reasons}>
            {reasons.map((reason) => (
              <Badge key={reason} variant="default" component="li">
                {formatWord(reason)}
              </Badge>
            ))}
          </Group>
        )}
        {body !== '' && (
          <LazyPart fallback={<Text size="sm">{body}</Text>}>
            <Markdown markdown={body} level={3} />
          </LazyPart>
        )}
        {votes.map(({ user_email, vote, comment }) => (
          <Text key={user_email} size="xs" c="dimmed" className="break-anywhere">
            {strings.voted(nameFromEmail(user_email), strings.votes[vote])}
            {comment && `: ${comment}`}
          </Text>
        ))}
        {waiting.length > 0 && (
          <Text size="xs" c="dimmed">
            {strings.waitingFor(waiting.map(nameFromEmail))}
          </Text>
        )}
        {revisit_on && <Text size="xs">{strings.revisitOn(formatDate(revisit_on))}</Text>}
      </Stack>
    </article>
  )
}
