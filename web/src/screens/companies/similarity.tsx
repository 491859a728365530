import { strings } from '#strings/companies.ts'
import { formatPercent } from '#web/words/format.ts'
import classes from './table.module.css'

/** @param share 0 to 1 */
export function Similarity({ share }: { share: number }) {
  const percent = formatPercent(share)
  return (
    <span className={classes.similarity} title={strings.similarityOf(percent)}>
      <span className={classes.similarityBar} aria-hidden>
        <span style={{ width: `${Math.round(Math.min(1, Math.max(0, share)) * 100)}%` }} />
      </span>
      {percent}
    </span>
  )
}
