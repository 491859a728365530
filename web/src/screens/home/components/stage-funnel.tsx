import { Skeleton, Text, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { strings } from '#strings/home.ts'
import { queries } from '#web/api/queries.ts'
import { formatCompactNumber, formatNumber, formatWord } from '#web/format/format.ts'
import { ScreenLink } from '#web/ui/link.tsx'
import { ErrorState } from '#web/ui/states.tsx'
import classes from './bars.module.css'
import { Panel } from './panel.tsx'

const COLORS: Record<string, string> = { closed_won: 'teal', closed_lost: 'gray' }

/** The number of deals in each stage. */
export function StageFunnel() {
  const stages = useQuery(queries.dealStages())
  const longest = Math.max(1, ...(stages.data ?? []).map(({ deals }) => deals))
  return (
    <Panel
      title={strings.dealsByStage}
      link={
        <ScreenLink to="/pipeline" size="sm">
          {strings.openPipeline}
        </ScreenLink>
      }
    >
      {stages.isPending && <Skeleton height={208} />}
      {stages.isError && <ErrorState error={stages.error} retry={() => stages.refetch()} />}
      {stages.data && (
        <>
          <Text size="xs" c="dimmed" ta="end" aria-hidden>
            <span className={classes.number}>{strings.dealsHead}</span>
            <span className={classes.number}>{strings.expectedHead}</span>
          </Text>
          <ol className={classes.list}>
            {stages.data.map(({ stage, deals, expected }) => (
              <li key={stage}>
                <ScreenLink
                  to="/pipeline"
                  search={{ status: 'all', stage, layout: 'list' }}
                  className={`${classes.row} ${classes.stage}`}
                  underline="never"
                >
                  <Bar
                    label={formatWord(stage)}
                    share={deals / longest}
                    color={COLORS[stage]}
                    value={<Numbers deals={deals} expected={expected} />}
                  />
                </ScreenLink>
              </li>
            ))}
          </ol>
          <Text c="dimmed" size="sm" mt="xs">
            {longest === 1 && stages.data.every(({ deals }) => deals === 0)
              ? strings.noDeals
              : strings.expectedHelp}
          </Text>
        </>
      )}
    </Panel>
  )
}

function Numbers({ deals, expected }: { deals: number; expected: number }) {
  return (
    <>
      <span className={classes.number}>
        {formatNumber(deals)}
        <VisuallyHidden> {strings.dealsAndExpected}</VisuallyHidden>
      </span>
      <Text span inherit c="dimmed" className={classes.number}>
        {formatCompactNumber(expected)}
      </Text>
    </>
  )
}

interface BarProps {
  label: string
  /** Relative to the longest bar, 0 to 1. */
  share: number
  value: ReactNode
  color?: string
}

/** A row of a bar chart: label, bar, and number. */
function Bar({ label, share, value, color = 'ink' }: BarProps) {
  const background = color === 'gray' ? 'var(--mantine-color-gray-5)' : `var(--mantine-color-${color}-filled)`
  return (
    <>
      <Text span inherit className={classes.label} dir="auto" title={label}>
        {label}
      </Text>
      <span className={classes.track} aria-hidden>
        {share > 0 && <span className={classes.bar} style={{ width: `${share * 100}%`, background }} />}
      </span>
      <span className={classes.value}>{value}</span>
    </>
  )
}
