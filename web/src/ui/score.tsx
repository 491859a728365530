import { strings } from '#strings/general.ts'
import classes from './score.module.css'

/** The color of a bar for a score from 0 to 100: one accent, because a low score is no alarm. */
export const scoreColor = (score: number): string => (score >= 40 ? 'ink' : 'gray')

const levelOf = (score: number): string => (score >= 70 ? 'high' : score >= 40 ? 'medium' : 'low')

/** A score from 0 to 100 on a tint that deepens with it, or a dash. */
export function ScoreBadge({ score }: { score: number | null }) {
  if (score === null) return <span className={classes.none}>{strings.none}</span>
  return (
    <span className={classes.score} data-level={levelOf(score)}>
      {score}
    </span>
  )
}
