import { Text, VisuallyHidden } from '@mantine/core'
import { strings } from '#strings/home.ts'
import { formatCompactNumber, formatNumber } from '#web/format/format.ts'
import { ScreenLink } from '#web/ui/link.tsx'
import { scoreColor } from '#web/ui/score.tsx'
import classes from './bars.module.css'

interface ScoreHistogramProps {
  buckets: { from: number; to: number; count: number }[]
  unscored: number
}

/** The list has no maximum score, so the label says that the link shows more companies than the column counts. */
const labelOf = ({ from, to, count }: ScoreHistogramProps['buckets'][number]): string =>
  `${strings.bucket(from, to, count, formatNumber(count))} ${strings.opensFrom(from)}`

/** A histogram of scores. Each column links to the companies with that score or higher. */
export function ScoreHistogram({ buckets, unscored }: ScoreHistogramProps) {
  const highest = Math.max(1, ...buckets.map(({ count }) => count))
  const isEmpty = buckets.every(({ count }) => count === 0)
  if (isEmpty)
    return (
      <Text c="dimmed" size="sm">
        {strings.noScores}
      </Text>
    )
  return (
    <>
      <ol className={classes.columns}>
        {buckets.map(({ from, to, count }) => (
          <li key={from}>
            <ScreenLink
              to="/companies"
              search={{ ...(from > 0 && { min_score: from }), sort: '-llm_score_overall' }}
              className={classes.column}
              underline="never"
              title={labelOf({ from, to, count })}
            >
              <VisuallyHidden>{labelOf({ from, to, count })}</VisuallyHidden>
              <span className={classes.space} aria-hidden>
                {count > 0 && formatCompactNumber(count)}
                <span
                  className={classes.upright}
                  style={{
                    height: `${(count / highest) * 85}%`,
                    background: `var(--mantine-color-${scoreColor(from)}-filled)`,
                  }}
                />
              </span>
              <Text span c="dimmed" size="xs" className={classes.foot} aria-hidden>
                {from}
              </Text>
            </ScreenLink>
          </li>
        ))}
      </ol>
      <Text c="dimmed" size="sm" mt="xs">
        {unscored > 0 ? strings.unscored(unscored, formatNumber(unscored)) : strings.allScored}
      </Text>
    </>
  )
}
