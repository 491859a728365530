import { strings } from '#strings/home.ts'
import { formatNumber } from '#web/format/format.ts'
import type { CompaniesLink } from '#web/screens/companies/companies-search.ts'
import { ScreenLink } from '#web/ui/link.tsx'
import classes from './company-links.module.css'

const MAX_LINKS = 12

interface CompanyLinksProps {
  /** Most frequent first. Without `search`, the list of companies cannot show just these. */
  values: { key: string; label: string; count: number; search?: CompaniesLink }[]
  /** The number of all companies. */
  total: number
}

/** The most frequent values, with links to the filtered list. */
export function CompanyLinks({ values, total }: CompanyLinksProps) {
  const shown = values.slice(0, values.length > MAX_LINKS + 1 ? MAX_LINKS : MAX_LINKS + 1)
  const others = total - shown.reduce((sum, { count }) => sum + count, 0)
  return (
    <ul className={classes.list}>
      {shown.map(({ key, label, count, search }) => (
        <li key={key}>
          {search ? (
            <ScreenLink to="/companies" search={search} className={classes.link} underline="never">
              <Counted label={label} count={count} />
            </ScreenLink>
          ) : (
            <span className={classes.text}>
              <Counted label={label} count={count} />
            </span>
          )}
        </li>
      ))}
      {others > 0 && (
        <li className={classes.text}>
          <Counted label={strings.other} count={others} />
        </li>
      )}
    </ul>
  )
}

const Counted = ({ label, count }: { label: string; count: number }) => (
  <>
    <bdi className={classes.label}>{label}</bdi> <span className={classes.count}>{formatNumber(count)}</span>
  </>
)
