import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { strings } from '#strings/home.ts'
import { queries } from '#web/api/queries.ts'
import type { Deal } from '#web/api/service.ts'
import { daysInStage, isStuck } from '#web/deals/stuck.ts'
import { formatWord } from '#web/format/format.ts'
import { NextStepText } from '#web/tasks/next-step-text.tsx'
import { ScreenLink } from '#web/ui/link.tsx'
import { ErrorState } from '#web/ui/states.tsx'
import { homeQueries } from '../home-queries.ts'
import classes from './deals-panel.module.css'
import { Panel } from './panel.tsx'

/** The user's active deals: their stage, for how long, and what is next. */
export function DealsPanel() {
  const query = useQuery(homeQueries.deals())
  const { data } = query
  if (!data && !query.isError) return null
  if (data?.data.length === 0) return null
  return (
    <Panel
      title={strings.myDeals}
      link={
        <ScreenLink to="/pipeline" search={{ owner: 'me', layout: 'list', status: 'active' }} size="sm">
          {strings.allMyDeals}
        </ScreenLink>
      }
    >
      {!data && <ErrorState error={query.error} retry={() => query.refetch()} />}
      {data && (
        <ul className={classes.rows}>
          {data.data.map((deal) => (
            <DealRow key={deal.id} deal={deal} />
          ))}
        </ul>
      )}
    </Panel>
  )
}

function DealRow({ deal }: { deal: Deal }) {
  const { data: stages } = useQuery(queries.dealStages())
  const stage = stages?.find((one) => one.stage === deal.stage)
  const isTooLong = isStuck(deal, stage?.outcome ?? null)
  return (
    <li className={classes.row}>
      <ScreenLink to="/deals/$id" params={{ id: deal.id }} inherit dir="auto">
        {deal.company_name}
      </ScreenLink>
      <span>{stage?.label ?? formatWord(deal.stage)}</span>
      <Text
        span
        inherit
        className={classes.days}
        c={isTooLong ? 'var(--mantine-color-orange-light-color)' : 'dimmed'}
        title={isTooLong ? strings.stuck : strings.daysInStageHelp}
      >
        {strings.daysInStage(daysInStage(deal))}
      </Text>
      <Text span inherit className={classes.step} c={deal.next_step ? undefined : 'dimmed'}>
        {deal.next_step ? <NextStepText step={deal.next_step} /> : strings.noNextStep}
      </Text>
    </li>
  )
}
