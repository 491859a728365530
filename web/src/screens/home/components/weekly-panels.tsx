import { SimpleGrid, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { strings } from '#strings/home.ts'
import { queries } from '#web/api/queries.ts'
import { formatCompactNumber, formatDate, formatNumber } from '#web/format/format.ts'
import { ErrorState } from '#web/ui/states.tsx'
import { Panel } from './panel.tsx'
import classes from './weekly-panels.module.css'

const PANELS = [
  { key: 'companies', title: strings.newCompanies },
  { key: 'deals', title: strings.newDeals },
] as const

/** New companies and deals by week. */
export function WeeklyPanels() {
  const weekly = useQuery(queries.weeklyStats())
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      {PANELS.map(({ key, title }) => (
        <Panel
          key={key}
          title={title}
          link={
            weekly.data && (
              <Text size="sm" c="dimmed">
                {strings.inWeeks(
                  formatNumber(weekly.data.reduce((sum, week) => sum + week[key], 0)),
                  weekly.data.length,
                )}
              </Text>
            )
          }
        >
          {weekly.isPending && <Skeleton height={143} />}
          {weekly.isError && !weekly.data && (
            <ErrorState error={weekly.error} retry={() => weekly.refetch()} />
          )}
          {weekly.data && (
            <Weeks weeks={weekly.data.map((week) => ({ from: week.from, count: week[key] }))} />
          )}
        </Panel>
      ))}
    </SimpleGrid>
  )
}

/** A column per week. The current week, which is not over, is lighter. */
function Weeks({ weeks }: { weeks: { from: string; count: number }[] }) {
  const highest = Math.max(1, ...weeks.map(({ count }) => count))
  const [first, last] = [weeks[0], weeks.at(-1)]
  return (
    <>
      <ol className={classes.weeks}>
        {weeks.map(({ from, count }) => (
          <li
            key={from}
            title={strings.weekOf(formatDate(from), formatNumber(count))}
            className={classes.week}
          >
            <span className={classes.text}>{strings.weekOf(formatDate(from), formatNumber(count))}</span>
            <span className={classes.count} aria-hidden>
              {count > 0 && formatCompactNumber(count)}
            </span>
            <span className={classes.column} style={{ height: `${(count / highest) * 80}%` }} aria-hidden />
          </li>
        ))}
      </ol>
      <div className={classes.axis} aria-hidden>
        <span>{first && formatDate(first.from)}</span>
        <span>{last && formatDate(last.from)}</span>
      </div>
    </>
  )
}
