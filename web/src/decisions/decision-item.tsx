import { Badge, Button, Group, Stack, Text, ThemeIcon } from '@mantine/core'
import { IconGavel } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, useState } from 'react'
import { strings } from '#strings/decisions.ts'
import { Person } from '#web/activity/person.tsx'
import { decisionQueries } from '#web/api/decision-queries.ts'
import { queries } from '#web/api/queries.ts'
import type { Decision } from '#web/api/service.ts'
import { useMayChangeOwn } from '#web/api/use-may-change-own.ts'
import { personName } from '#web/fields/people.ts'
import { formatDate, formatWord } from '#web/format/format.ts'
import { Age } from '#web/ui/age.tsx'
import { LazyDialog, LazyPart } from '#web/ui/lazy.tsx'
import { ScreenLink } from '#web/ui/link.tsx'
import classes from './decision.module.css'
import { DecisionMenu } from './decision-menu.tsx'
import { Votes } from './votes.tsx'

// Its parser is large.
const Markdown = lazy(() => import('#web/ui/markdown/markdown.tsx'))
const DecisionDialog = lazy(() => import('./decision-dialog.tsx'))

interface DecisionItemProps {
  decision: Decision
  /** Whether the page is about another record than the company. */
  showsCompany: boolean
}

/** A decision: what was decided and why, who voted how, when to look again, and what can be done with it. */
export function DecisionItem({ decision, showsCompany }: DecisionItemProps) {
  const { outcome, body, votes, asked, revisit_on, author_email } = decision
  const [editing, setEditing] = useState<'edit' | 'take' | null>(null)
  const close = () => setEditing(null)
  const { data: me } = useQuery(queries.me())
  const users = useQuery(queries.allUsers()).data ?? []
  const mayChange = useMayChangeOwn(decision.author_email)
  const voters = new Set(votes.map(({ user_email }) => user_email))
  const waiting = outcome === null ? asked.filter((email) => !voters.has(email)) : []
  return (
    <article className={classes.decision} data-decision={decision.id}>
      <ThemeIcon variant="light" size={28} radius="xl" aria-hidden>
        <IconGavel size={16} stroke={1.8} />
      </ThemeIcon>
      <Stack gap={6} miw={0} fz="sm">
        <Group justify="space-between" gap="xs" wrap="nowrap" align="flex-start" mih={28}>
          <Group gap="0.25rem 0.5rem" mih={28}>
            <Text size="sm" component="span">
              <Person email={author_email} me={me?.email} startsSentence />{' '}
              {sentenceOf(outcome, showsCompany)}
              {showsCompany && (
                <>
                  {' '}
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
          <DecisionMenu decision={decision} edit={() => setEditing('edit')} />
        </Group>
        <Reasons reasons={decision.reasons} />
        {body !== '' && (
          <LazyPart fallback={<Text size="sm">{body}</Text>}>
            <Markdown markdown={body} level={3} />
          </LazyPart>
        )}
        {votes.map(({ user_email, vote, comment }) => (
          <Text key={user_email} size="xs" className="break-anywhere">
            <b>{personName(user_email, users)}</b> {strings.voted[vote]}
            {comment && `: ${comment}`}
          </Text>
        ))}
        {waiting.length > 0 && (
          <Text size="xs" c="dimmed">
            {strings.waitingFor(waiting.map((email) => personName(email, users)))}
          </Text>
        )}
        {revisit_on && <Text size="xs">{strings.lookAgain(formatDate(revisit_on))}</Text>}
        {outcome === null && <Votes decision={decision} />}
        {outcome === null && mayChange && (
          <Button
            size="compact-sm"
            variant="light"
            style={{ alignSelf: 'flex-start' }}
            className="print-hidden"
            onClick={() => setEditing('take')}
          >
            {strings.takeIt}
          </Button>
        )}
      </Stack>
      {editing && (
        <LazyDialog close={close}>
          <DecisionDialog
            companyId={decision.company_id}
            companyName={decision.company_name}
            decision={decision}
            takes={editing === 'take'}
            close={close}
          />
        </LazyDialog>
      )}
    </article>
  )
}

function sentenceOf(outcome: Decision['outcome'], showsCompany: boolean): string {
  if (outcome === null) return showsCompany ? strings.asksAbout : strings.asks
  return (showsCompany ? strings.decidedAbout : strings.decided)[outcome]
}

function Reasons({ reasons }: { reasons: readonly string[] }) {
  const config = useQuery({ ...decisionQueries.reasonConfig(), enabled: reasons.length > 0 })
  if (reasons.length === 0) return null
  const labels = new Map(config.data?.reasons.map(({ key, label }) => [key, label]))
  return (
    <Group gap={4} component="ul" m={0} p={0} aria-label={strings.reasons}>
      {reasons.map((reason) => (
        <Badge key={reason} variant="default" component="li" tt="none">
          {labels.get(reason) ?? formatWord(reason)}
        </Badge>
      ))}
    </Group>
  )
}
