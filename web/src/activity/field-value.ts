import type { CustomFieldEntity } from '#src/client/client.ts'
import { SOURCE_CHANNELS } from '#src/client/limits.ts'
import { strings } from '#strings/activity.ts'
import { strings as people } from '#strings/people.ts'
import { accountQueries } from '#web/api/account-queries.ts'
import { queries } from '#web/api/queries.ts'
import { queryClient } from '#web/api/query-client.ts'
import type { CompanyLink } from '#web/api/service.ts'
import { cachedCustomField } from '#web/fields/cached-custom-field.ts'
import { cachedCompanyName } from '#web/fields/company-cache.ts'
import { formatCustomValue } from '#web/fields/custom-values.ts'
import { cachedLinkName } from '#web/fields/note-cache.ts'
import { personName } from '#web/fields/people.ts'
import { countryName } from '#web/format/countries.ts'
import {
  formatDate,
  formatEuros,
  formatMoment,
  formatNumber,
  formatPercent,
  formatWord,
} from '#web/format/format.ts'

const WORDS = new Set(['status', 'stage', 'source_type', 'kind', 'visibility', 'repeat'])
const USERS = new Set(['owner_email', 'assignee_email', 'done_by'])
const MOMENTS = new Set(['happened_at', 'due_at', 'done_at'])
const CHANNELS: readonly string[] = SOURCE_CHANNELS
const TEXT_LISTS = new Set(['emails', 'phones', 'links', 'tags'])
/** What a note is about, and who took part. */
const NOTE_LINK = /^(about|participants)\.(.+)$/

export const isEmptyValue = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

/**
 * The value of a field of a record as text. JSON for lists and objects.
 * @param of the records that have it
 */
export function formatValue(field: string, value: unknown, of: CustomFieldEntity): string {
  if (isEmptyValue(value)) return strings.empty
  const custom = cachedCustomField(field, of)
  if (custom?.type === 'user') return userName(String(value))
  if (custom) return formatCustomValue(custom, value)
  if (typeof value === 'number') return formatAmount(field, value)
  if (typeof value === 'boolean') return value ? strings.yes : strings.no
  if (field.startsWith('companies.')) return linkText(value as Link)
  const noteLink = NOTE_LINK.exec(field)
  if (noteLink) return nameOfLink(noteLink[2] ?? '', value as { type?: string })
  if (field === 'mentions') return (value as string[]).map(userName).join(', ')
  if (TEXT_LISTS.has(field)) return (value as string[]).join(', ')
  if (typeof value !== 'string') return JSON.stringify(value, null, 2)
  if (WORDS.has(field) || (field === 'source_id' && CHANNELS.includes(value))) return formatWord(value)
  if (field === 'due_on') return formatDate(value)
  if (USERS.has(field) || (field === 'source_id' && value.includes('@'))) return userName(value)
  if (field === 'country_code') return countryName(value)
  if (MOMENTS.has(field)) return formatMoment(value)
  return field === 'thesis_id' ? (thesisCode(value) ?? value) : value
}

/** The name of the record that a note is linked to, or its type if this tab does not know it. */
const nameOfLink = (id: string, { type = 'person' }: { type?: string }): string =>
  cachedLinkName(queryClient, id) ?? cachedCompanyName(queryClient, id) ?? strings.recordTypes[type] ?? id

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

/** The name of a user: from the address, if this tab has not loaded the users. */
const userName = (email: string): string =>
  personName(email, queryClient.getQueryData(accountQueries.allUsers().queryKey))

/** The code of a thesis, if this tab has loaded the theses. */
const thesisCode = (id: string): string | undefined =>
  queryClient.getQueryData(queries.theses().queryKey)?.data.find((thesis) => thesis.id === id)?.code
