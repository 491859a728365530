import { Anchor, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { strings } from '#strings/columns.ts'
import { strings as general } from '#strings/general.ts'
import { formatCustomValue } from '#web/fields/custom-values.ts'
import { nameFromEmail } from '#web/fields/people.ts'
import type { Field } from '#web/filters/use-fields.ts'
import { formatAge, formatDay, formatEuros, formatMoment, formatNumber } from '#web/format/format.ts'
import { withoutProtocol } from '#web/format/web-address.ts'

/** Shown for a missing value. */
export const emptyCell = (
  <Text span inherit c="dimmed">
    {general.none}
  </Text>
)

/** Text that users wrote. The whole of it is the tooltip. */
export const userText = (text: string | null | undefined): ReactNode =>
  text ? (
    <span dir="auto" title={text}>
      {text}
    </span>
  ) : null

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

/** The value of a custom field, as text in one line. */
export function customValue(field: Field, values: Readonly<Record<string, unknown>>): ReactNode {
  const value = values[field.key]
  if (value === undefined || value === null) return null
  if (field.type === 'url') return webAddress(String(value))
  if (field.type === 'user') return <bdi title={String(value)}>{nameFromEmail(String(value))}</bdi>
  return userText(formatCustomValue(field as Parameters<typeof formatCustomValue>[0], value))
}
