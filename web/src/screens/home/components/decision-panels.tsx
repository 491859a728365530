import { useQuery } from '@tanstack/react-query'
import { strings } from '#strings/decisions.ts'
import { decisionQueries } from '#web/api/decision-queries.ts'
import { queries } from '#web/api/queries.ts'
import { formatDate } from '#web/format/format.ts'
import { Age } from '#web/ui/age.tsx'
import { ScreenLink } from '#web/ui/link.tsx'
import { MAX_ROWS } from '../home-queries.ts'
import { ListPanel, Row } from './list-panel.tsx'

export const dueCompanies = () => decisionQueries.dueCompanies(MAX_ROWS)

/** The companies that a decision says to look at again by today. */
export function DuePanel() {
  const query = useQuery(dueCompanies())
  const { data } = query
  return (
    <ListPanel
      title={strings.due}
      query={query}
      rows={data?.data}
      link={
        data &&
        data.pagination.total > MAX_ROWS && (
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
      {({ id, name, revisit_on, decision_outcome }) => (
        <Row
          key={id}
          meta={
            <>
              {decision_outcome && `${strings.outcomes[decision_outcome]} · `}
              {revisit_on && strings.dueSince(formatDate(revisit_on))}
            </>
          }
        >
          <ScreenLink to="/companies/$id" params={{ id }} inherit dir="auto">
            {name}
          </ScreenLink>
        </Row>
      )}
    </ListPanel>
  )
}

export const openVotes = () => decisionQueries.decisions({ open: true, asked: ['me'], limit: 50 })

/** Open decisions that wait for the user's vote. */
export function VotePanel() {
  const { data: me } = useQuery(queries.me())
  const query = useQuery(openVotes())
  const waiting =
    me && query.data?.data.filter(({ votes }) => !votes.some(({ user_email }) => user_email === me.email))
  return (
    <ListPanel
      title={strings.forYou}
      query={query}
      rows={waiting?.slice(0, MAX_ROWS)}
      link={
        <ScreenLink to="/decisions" search={{ state: 'mine' }} size="sm">
          {strings.allForYou}
        </ScreenLink>
      }
    >
      {({ id, company_id, company_name, created_at }) => (
        <Row key={id} meta={<Age timestamp={created_at} span inherit />}>
          <ScreenLink to="/decisions" search={{ state: 'mine', company: company_id }} inherit dir="auto">
            {company_name}
          </ScreenLink>
        </Row>
      )}
    </ListPanel>
  )
}
