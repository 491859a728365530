import type { ReactNode } from 'react'
import type { Company } from '#web/api/service.ts'
import { userText } from '#web/columns/cells.tsx'
import { countryName } from '#web/format/countries.ts'
import { formatWord } from '#web/format/format.ts'
import classes from './cells.module.css'

/** Renders a field of a company; null if it has no value. */
export type Cell = (company: Company, thesisCode: string | undefined) => ReactNode

export const statusCell: Cell = ({ status }) => (
  <span className={classes.status} data-status={status} title={formatWord(status)}>
    {formatWord(status)}
  </span>
)

export const countryCell: Cell = ({ country, country_code: code }) =>
  code ? <span title={`${countryName(code)} (${code})`}>{countryName(code)}</span> : userText(country)
