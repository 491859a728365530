import { strings } from '#strings/companies.ts'
import type { SearchResult } from '#web/api/service.ts'
import { formatPercent } from '#web/format/format.ts'
import classes from './cells.module.css'

interface SimilarityProps {
  /** 0 to 1 */
  share: number
  /** How much words and meaning contribute to it. */
  shares: SearchResult['shares'] | undefined
}

export function Similarity({ share, shares }: SimilarityProps) {
  const percent = formatPercent(share)
  const parts = shares && strings.similarityParts(formatPercent(shares.words), formatPercent(shares.meaning))
  return (
    <span
      className={classes.similarity}
      title={[strings.similarityOf(percent), parts].filter(Boolean).join(': ')}
    >
      <span className={classes.similarityBar} aria-hidden>
        <span style={{ width: `${Math.round(Math.min(1, Math.max(0, share)) * 100)}%` }} />
      </span>
      {percent}
    </span>
  )
}
