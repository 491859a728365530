import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import { strings } from '#strings/companies.ts'
import { formatCustomValue } from '#web/fields/custom-values.ts'
import { nameFromEmail } from '#web/fields/people.ts'
import type { Field } from '#web/filters/use-fields.ts'
import type { Company } from '#web/service/service.ts'
import { countryName } from '#web/words/countries.ts'
import {
  formatAge,
  formatDay,
  formatEuros,
  formatMoment,
  formatNumber,
  formatWord,
} from '#web/words/format.ts'
import classes from './table.module.css'

/** Renders a field of a company; null if it has no value. */
export type Cell = (company: Company, thesisCode: string | undefined) => ReactNode

/** Text that users wrote. The whole of it is the tooltip. */
export const userText = (text: string | null | undefined): ReactNode =>
  text ? (
    <span dir="auto" title={text}>
      {text}
    </span>
  ) : null

export const statusCell: Cell = ({ status }) => (
  <span className={classes.status} data-status={status} title={formatWord(status)}>
    {formatWord(status)}
  </span>
)

export const countryCell: Cell = ({ country, country_code: code }) =>
  code ? <span title={`${countryName(code)} (${code})`}>{countryName(code)}</span> : userText(country)

export const amount = (value: number | null, short: (value: number) => string): ReactNode =>
  value === null ? null : <span title={formatEuros(value)}>{short(value)}</span>

export const count = (value: number | null): ReactNode => (value === null ? null : formatNumber(value))

export const age = (moment: string): ReactNode => (
  <span title={formatMoment(moment)}>{formatAge(moment)}</span>
)

export const day = (moment: string): ReactNode => (
  <span title={formatMoment(moment)}>{formatDay(moment)}</span>
)

export const webAddress = (url: string | null): ReactNode =>
  url ? (
    <Anchor
      href={url}
      target="_blank"
      rel="noopener noreferrer"
      inherit
      title={url}
      aria-label={strings.opensNewTab(withoutProtocol(url))}
    >
      {withoutProtocol(url)}
    </Anchor>
  ) : null

const withoutProtocol = (url: string): string => url.replace(/^https?:\/\/(?:www\.)?/, '').replace(/\/$/, '')

/** A custom field, as text in one line. */
export const customCell =
  (field: Field): Cell =>
  ({ custom }) => {
    const value = custom[field.key]
    if (value === undefined || value === null) return null
    if (field.type === 'url') return webAddress(String(value))
    if (field.type === 'user') return <bdi title={String(value)}>{nameFromEmail(String(value))}</bdi>
    return userText(formatCustomValue(field as Parameters<typeof formatCustomValue>[0], value))
  }
