import type { CustomFieldEntity } from '#src/client/client.ts'
import { strings } from '#strings/activity.ts'
import { strings as people } from '#strings/people.ts'
import { queries } from '#web/api/queries.ts'
import { queryClient } from '#web/api/query-client.ts'
import type { CompanyLink } from '#web/api/service.ts'
import { cachedCustomField } from '#web/fields/cached-custom-field.ts'
import { formatCustomValue } from '#web/fields/custom-values.ts'
import { countryName } from '#web/format/countries.ts'
import { formatEuros, formatNumber, formatPercent, formatWord } from '#web/format/format.ts'

const WORDS = new Set(['status', 'stage'])
const TEXT_LISTS = new Set(['emails', 'phones', 'links', 'tags'])

export const isEmptyValue = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

/**
 * The value of a field of a record as text. JSON for lists and objects.
 * @param of the records that have it
 */
export function formatValue(field: string, value: unknown, of: CustomFieldEntity): string {
  if (isEmptyValue(value)) return strings.empty
  const custom = cachedCustomField(field, of)
  if (custom) return formatCustomValue(custom, value)
  if (typeof value === 'number') return formatAmount(field, value)
  if (typeof value === 'boolean') return value ? strings.yes : strings.no
  if (field.startsWith('companies.')) return linkText(value as Link)
  if (TEXT_LISTS.has(field)) return (value as string[]).join(', ')
  if (typeof value !== 'string') return JSON.stringify(value, null, 2)
  if (WORDS.has(field)) return formatWord(value)
  if (field === 'country_code') return countryName(value)
  return field === 'thesis_id' ? (thesisCode(value) ?? value) : value
}

type Link = Pick<CompanyLink, 'role' | 'from' | 'until' | 'is_primary'>

/** How a person is linked to a company. */
function linkText({ role, from, until, is_primary }: Link): string {
  const parts = [role, people.period(from, until), is_primary && strings.primaryCompany].filter(Boolean)
  return parts.length > 0 ? parts.join(', ') : strings.linkedWithoutRole
}

function formatAmount(field: string, value: number): string {
  if (field === 'founded_year') return String(value)
  if (field === 'probability') return formatPercent(value / 100)
  return field.endsWith('_eur') ? formatEuros(value) : formatNumber(value)
}

/** The code of a thesis, if this tab has loaded the theses. */
const thesisCode = (id: string): string | undefined =>
  queryClient.getQueryData(queries.theses().queryKey)?.data.find((thesis) => thesis.id === id)?.code
