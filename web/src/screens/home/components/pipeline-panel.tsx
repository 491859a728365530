import { Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { strings } from '#strings/home.ts'
import { formatCompactEuros, formatEuros, formatEurosChange } from '#web/format/format.ts'
import { ScreenLink } from '#web/ui/link.tsx'
import { ErrorState } from '#web/ui/states.tsx'
import { homeQueries } from '../home-queries.ts'
import { Panel } from './panel.tsx'

/** What the open deals are expected to bring, and how that has changed in a week. */
export function PipelinePanel() {
  const query = useQuery(homeQueries.pipeline())
  const { data } = query
  if (!data && !query.isError) return null
  const hasMoved = data && data.week.entered + data.week.won + data.week.lost > 0
  if (data?.deals === 0 && !hasMoved) return null
  return (
    <Panel
      title={strings.pipeline}
      link={
        <ScreenLink to="/pipeline" size="sm">
          {strings.openPipeline}
        </ScreenLink>
      }
    >
      {!data && <ErrorState error={query.error} retry={() => query.refetch()} />}
      {data && (
        <>
          <Group gap="xs" align="baseline">
            <Text fz={28} lh={1.2} fw={650} title={formatEuros(data.weighted_eur)}>
              {formatCompactEuros(data.weighted_eur)}
            </Text>
            <Text size="sm" c={data.week.change_eur === 0 ? 'dimmed' : undefined}>
              {data.week.change_eur === 0
                ? strings.unchanged
                : strings.changed(formatEurosChange(data.week.change_eur))}
            </Text>
          </Group>
          <Text size="sm" c="dimmed">
            {strings.weightedDeals(data.deals)}
          </Text>
          {hasMoved && (
            <Text size="sm" mt={4}>
              {strings.moved(data.week)}
            </Text>
          )}
          {data.without_amount > 0 && (
            <Missing
              text={strings.withoutAmount(data.without_amount)}
              filter={{ field: 'amount_eur', op: 'is_empty' }}
            />
          )}
          {data.without_probability > 0 && (
            <Missing
              text={strings.withoutProbability(data.without_probability)}
              filter={{ field: 'probability', op: 'is_empty' }}
            />
          )}
        </>
      )}
    </Panel>
  )
}

interface MissingProps {
  text: string
  filter: { field: string; op: 'is_empty' }
}

/** Deals that count as nothing, with a link to them. */
function Missing({ text, filter }: MissingProps) {
  return (
    <Text size="sm" mt={4}>
      <ScreenLink to="/pipeline" search={{ layout: 'list', status: 'active', filter }} inherit>
        {text}
      </ScreenLink>
    </Text>
  )
}
