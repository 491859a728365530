import { Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { strings } from '#strings/decisions.ts'
import { decisionQueries } from '#web/api/decision-queries.ts'
import { queries } from '#web/api/queries.ts'
import { formatDate } from '#web/format/format.ts'
import { Age } from '#web/ui/age.tsx'
import { ScreenLink } from '#web/ui/link.tsx'
import { Panel } from './panel.tsx'

const SHOWN = 5

/** The companies that a decision says to look at again by today. Hidden if there are none. */
export function DuePanel() {
  const { data } = useQuery(decisionQueries.dueCompanies(SHOWN))
  if (!data || data.pagination.total === 0) return null
  return (
    <Panel
      title={strings.due}
      link={
        data.pagination.total > SHOWN && (
          <ScreenLink
            to="/companies"
            search={{ filter: { field: 'revisit_on', op: 'lte', value: 'today' }, sort: 'revisit_on' }}
            size="sm"
          >
            {strings.allDue}
          </ScreenLink>
        )
      }
    >
      <Stack gap={6}>
        {data.data.map(({ id, name, revisit_on, decision_outcome }) => (
          <Group key={id} justify="space-between" gap="sm" wrap="nowrap">
            <ScreenLink to="/companies/$id" params={{ id }} size="sm" className="break-anywhere" dir="auto">
              {name}
            </ScreenLink>
            <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
              {decision_outcome && `${strings.outcomes[decision_outcome]} · `}
              {revisit_on && strings.dueSince(formatDate(revisit_on))}
            </Text>
          </Group>
        ))}
      </Stack>
    </Panel>
  )
}

/** Open decisions that wait for the user's vote. Hidden if there are none. */
export function VotePanel() {
  const { data: me } = useQuery(queries.me())
  const { data } = useQuery(decisionQueries.decisions({ open: true, asked: ['me'], limit: 50 }))
  const waiting = (data?.data ?? []).filter(
    ({ votes }) => !votes.some(({ user_email }) => user_email === me?.email),
  )
  if (!me || waiting.length === 0) return null
  return (
    <Panel
      title={strings.forYou}
      link={
        <ScreenLink to="/decisions" search={{ state: 'mine' }} size="sm">
          {strings.allForYou}
        </ScreenLink>
      }
    >
      <Stack gap={6}>
        {waiting.slice(0, SHOWN).map(({ id, company_id, company_name, created_at }) => (
          <Group key={id} justify="space-between" gap="sm" wrap="nowrap">
            <ScreenLink
              to="/decisions"
              search={{ state: 'mine', company: company_id }}
              size="sm"
              className="break-anywhere"
              dir="auto"
            >
              {company_name}
            </ScreenLink>
            <Age timestamp={created_at} size="xs" c="dimmed" />
          </Group>
        ))}
      </Stack>
    </Panel>
  )
}
