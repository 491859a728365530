import { strings } from '#strings/home.ts'
import type { CompaniesSearch } from '#web/screens/companies/companies-search.ts'
import { ScreenLink } from '#web/ui/link.tsx'
import { formatNumber } from '#web/words/format.ts'
import { Bar } from './bar.tsx'
import classes from './bars.module.css'

const MAX_ROWS = 8

interface CompanyBarsProps {
  /** Most frequent first. Without `search`, the list of companies cannot show just these. */
  values: { key: string; label: string; count: number; search?: CompaniesSearch }[]
  /** The number of all companies. */
  total: number
}

/** A bar chart of companies that links to the filtered list. */
export function CompanyBars({ values, total }: CompanyBarsProps) {
  const shown = values.slice(0, values.length > MAX_ROWS + 1 ? MAX_ROWS : MAX_ROWS + 1)
  const others = total - shown.reduce((sum, { count }) => sum + count, 0)
  const longest = Math.max(1, ...shown.map(({ count }) => count))
  return (
    <ul className={classes.list}>
      {shown.map(({ key, label, count, search }) => {
        const bar = (
          <Bar
            label={label}
            share={count / longest}
            value={formatNumber(count)}
            color={search ? 'ink' : 'gray'}
            isDimmed={!search}
          />
        )
        return (
          <li key={key}>
            {search ? (
              <ScreenLink to="/companies" search={search} className={classes.row} underline="never">
                {bar}
              </ScreenLink>
            ) : (
              <div className={classes.row}>{bar}</div>
            )}
          </li>
        )
      })}
      {others > 0 && (
        // Without a bar, which would dwarf the others.
        <li className={classes.row}>
          <Bar label={strings.other} share={0} value={formatNumber(others)} isDimmed />
        </li>
      )}
    </ul>
  )
}
